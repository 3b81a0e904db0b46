using System.Collections.Immutable;
using System.Globalization;
using CamCube.Runtime.Observing;

namespace CamCube.Simulator.Seeing;

/// <summary>
/// The way of one packet through a cube, with every verdict and every wait, and that of its copies. The packet is named
/// by the server that sends it and its number there; <see cref="PacketFinder"/> finds these for the N-th packet of a
/// run. Equal runs give equal traces. Observers run on the threads of their servers; everything else is called while no
/// server runs.
/// </summary>
public sealed class PacketTrace
{
    private readonly TorusShape _shape;
    private readonly Func<ServiceId, string> _nameOf;
    private readonly int _from;
    private readonly Destination? _to;
    private readonly long _number;
    private readonly Observer?[] _servers;

    // Written when the packet is sent or copied, read by all servers: a packet is at another server only after the
    // thread of the one that sent it has handed it over, so what was written before is seen.
    private ImmutableArray<uint> _followed = [];

    /// <summary>A trace of one packet.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="server">The server that sends it.</param>
    /// <param name="number">Its number among the packets that the services of that server send, from 1.</param>
    /// <param name="nameOf">Names of services.</param>
    public PacketTrace(TorusShape shape, Coordinate server, long number, Func<ServiceId, string> nameOf) =>
        (_shape, _from, _number, _nameOf, _servers) = (
            shape,
            shape.RankOf(server),
            number,
            nameOf,
            new Observer?[shape.Count]
        );

    /// <summary>A trace of one of the packets from one server to another.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="server">The server that sends it.</param>
    /// <param name="to">Where it goes: a server or a key.</param>
    /// <param name="number">Its number among the packets that the services of that server send there, from 1.</param>
    /// <param name="nameOf">Names of services.</param>
    public PacketTrace(TorusShape shape, Coordinate server, Destination to, long number, Func<ServiceId, string> nameOf)
        : this(shape, server, number, nameOf) => _to = to;

    /// <summary>Whether the packet was sent.</summary>
    public bool IsFound => !_followed.IsEmpty;

    /// <summary>Packets that services of the server have sent, to there if that was said.</summary>
    public long SentThere => _servers[_from]?.SentHere ?? 0;

    /// <summary>The observer of a server, the same in all its runs.</summary>
    public IServerObserver ObserverOf(Coordinate server)
    {
        int rank = _shape.RankOf(server);
        return _servers[rank] ??= new Observer(this, isSender: rank == _from);
    }

    /// <summary>The steps so far, in order of virtual time, then of ranks.</summary>
    /// <param name="endNanos">The present: a last step tells where each packet is that has not ended.</param>
    public IReadOnlyList<PacketStep> StepsUntil(long endNanos)
    {
        List<Seen> all =
        [
            .. _servers
                .SelectMany(
                    (server, rank) =>
                        server is null ? [] : server.Steps.Select((step, i) => step with { Rank = rank, Order = i })
                )
                .OrderBy(step => step.TimeNanos)
                .ThenBy(step => step.Rank)
                .ThenBy(step => step.Order),
        ];

        // Copies are numbered as they were made.
        var numbers = new Dictionary<uint, int>();
        var last = new Dictionary<uint, Seen>();
        foreach (Seen step in all)
        {
            numbers.TryAdd(step.Packet, numbers.Count);
            if (step.Event == "copied")
            {
                numbers.TryAdd(step.Copy, numbers.Count);
            }

            last[step.Packet] = step;
        }

        var steps = new List<PacketStep>();
        foreach (Seen step in all)
        {
            string text = step.Event == "copied" ? $"copied as #{numbers[step.Copy]}" : step.Text;
            steps.Add(new PacketStep(step.TimeNanos, _shape.At(step.Rank), numbers[step.Packet], step.Event, text));
        }

        foreach ((uint packet, Seen step) in last.OrderBy(pair => numbers[pair.Key]))
        {
            if (step.StillThere is { } where)
            {
                steps.Add(
                    new PacketStep(endNanos, _shape.At(step.Rank), numbers[packet], "end", $"end of the run: {where}")
                );
            }
        }

        return steps;
    }

    private bool Follows(uint packet) => _followed.Contains(packet);

    private void Follow(uint packet) =>
        ImmutableInterlocked.Update(ref _followed, static (all, id) => all.Add(id), packet);

    // A step as it was seen; StillThere: where the packet is if nothing more is seen of it, null if it has ended.
    private readonly record struct Seen(
        long TimeNanos,
        uint Packet,
        string Event,
        string Text,
        string? StillThere,
        uint Copy = 0,
        int Rank = 0,
        int Order = 0
    );

    private sealed class Observer(PacketTrace trace, bool isSender) : PacketObserver
    {
        private readonly Dictionary<uint, (long Since, LinkSet Links)> _waiting = [];

        public List<Seen> Steps { get; } = [];

        public long SentHere { get; private set; }

        public override void Sent(in PacketSummary packet, LinkSet links, long now)
        {
            if (
                isSender
                && packet.Service.Value > ServiceId.LastReserved
                && (trace._to is not { } to || to == packet.Destination)
                && ++SentHere == trace._number
            )
            {
                trace.Follow(packet.Id);
            }

            if (trace.Follows(packet.Id))
            {
                Add(
                    packet,
                    now,
                    "sent",
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"sent by {trace._nameOf(packet.Service)} to {packet.DestinationText}: "
                            + $"{packet.WireLength:N0} bytes, {packet.HopLimit} hops left"
                    ),
                    $"waits for {links}"
                );
                Wait(packet.Id, links, now);
            }
        }

        public override void Arrived(in PacketSummary packet, Link on, bool isDestination, long now)
        {
            if (trace.Follows(packet.Id))
            {
                (string word, string text) = isDestination
                    ? ("delivered", $"delivered to {trace._nameOf(packet.Service)}, arrived on {on.Name()}")
                    : ("arrived", $"arrived on {on.Name()}");
                Add(packet, now, word, text, "at the service");
            }
        }

        public override void Decided(in PacketSummary packet, Verdict verdict, LinkSet links, long now)
        {
            if (!trace.Follows(packet.Id))
            {
                return;
            }

            (string text, string? then) = verdict.Kind switch
            {
                VerdictKind.Via or VerdictKind.ViaAll => ($"{verdict.Kind} {verdict.Links}", $"waits for {links}"),
                VerdictKind.Forward => ("Forward", $"waits for {links}"),
                VerdictKind.Drop => ($"Drop {verdict.Reason}", null),
                VerdictKind.Hold or VerdictKind.Taken => (
                    verdict.Kind.ToString(),
                    "the service has it, or released it"
                ),
                _ => (verdict.Kind.ToString(), null),
            };
            bool isCopied = verdict.Kind == VerdictKind.ViaAll;
            if (
                verdict.Kind == VerdictKind.Taken
                && Steps[^1] is { Event: not ("arrived" or "delivered") } own
                && own.Packet == packet.Id
            )
            {
                // It was sent on during the callback: where it is, the earlier step has said.
                then = own.StillThere;
            }

            Add(packet, now, "verdict", $"verdict {text}", isCopied ? null : then);
            if (!links.IsEmpty && !isCopied)
            {
                Wait(packet.Id, links, now);
            }
        }

        public override void Threw(in PacketSummary packet, long now)
        {
            if (trace.Follows(packet.Id))
            {
                Add(packet, now, "threw", $"threw: {trace._nameOf(packet.Service)} faulted with it", null);
            }
        }

        public override void Copied(in PacketSummary original, uint copy, long now)
        {
            if (trace.Follows(original.Id))
            {
                trace.Follow(copy);
                Steps.Add(new Seen(now, original.Id, "copied", "", null, copy));
                Wait(copy, LinkSet.None, now);
            }
        }

        public override void Rerouted(in PacketSummary packet, LinkSet links, long now)
        {
            if (trace.Follows(packet.Id))
            {
                Add(packet, now, "rerouted", $"rerouted to {links}, for a link went down", $"waits for {links}");
                if (_waiting.TryGetValue(packet.Id, out (long Since, LinkSet) wait))
                {
                    _waiting[packet.Id] = (wait.Since, links);
                }
            }
        }

        public override void Left(in PacketSummary packet, Link link, long now, long busyUntil, bool isLost)
        {
            if (!trace.Follows(packet.Id))
            {
                return;
            }

            if (_waiting.Remove(packet.Id, out (long Since, LinkSet Links) wait) && wait.Since < now)
            {
                LinkSet links = wait.Links.IsEmpty ? link : wait.Links;
                Add(packet, now, "waited", $"waited {Micros(now - wait.Since)} us for {links}", "");
            }

            string last = busyUntil == long.MaxValue ? "" : $", last bit {Micros(busyUntil - now)} us later";
            if (isLost)
            {
                Add(packet, now, "lost", $"left on {link.Name()} and was lost there", null);
            }
            else
            {
                Add(
                    packet,
                    now,
                    "left",
                    $"left on {link.Name()}{last}",
                    $"on {link.Name()}, or lost with a server that stopped"
                );
            }
        }

        public override void Dropped(in PacketSummary packet, DropReason reason, long now)
        {
            if (trace.Follows(packet.Id))
            {
                _waiting.Remove(packet.Id);
                Add(packet, now, "dropped", $"dropped: {reason}", null);
            }
        }

        private static string Micros(long nanos) => (nanos / 1e3).ToString("F3", CultureInfo.InvariantCulture);

        private void Add(in PacketSummary packet, long now, string word, string text, string? stillThere) =>
            Steps.Add(new Seen(now, packet.Id, word, text, stillThere));

        private void Wait(uint packet, LinkSet links, long now)
        {
            if (!links.Contains(Link.Local))
            {
                _waiting[packet] = (now, links);
            }
        }
    }
}
