using System.Runtime.CompilerServices;
using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Endpoints;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger.Resolving;

/// <summary>
/// Asks all servers (LibRIPC §5.3.6): the search goes once over every link, no server passes it on twice, and the owner
/// answers the asker alone. Needs no root, so it finds owners that no root knows of. Loop only.
/// </summary>
internal sealed class BroadcastResolver : IResolver
{
    private const int Remembered = 4_096,
        Tries = 3;
    private readonly HashSet<(ulong Asker, ulong Search)> _seen = [];
    private readonly Queue<(ulong Asker, ulong Search)> _seenInOrder = new();
    private readonly IServer _server;
    private readonly MessengerOptions _options;
    private readonly MessengerCounters _counters;
    private readonly EndpointTable _endpoints;
    private readonly ReplyTable<FoundPlace> _asked;
    private readonly ulong _run;
    private ulong _searches;
    private long _budgetNanos = long.MinValue / 2;

    public BroadcastResolver(
        IServer server,
        MessengerOptions options,
        MessengerCounters counters,
        EndpointTable endpoints,
        ulong run
    )
    {
        (_server, _options, _counters, _endpoints, _run) = (server, options, counters, endpoints, run);
        _asked = new ReplyTable<FoundPlace>(server);
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<EndpointPlace> FindAsync(EndpointId id, EndpointPlace wrong, CancellationToken cancel)
    {
        if (!_asked.TryAsk(out Replies<FoundPlace>? question))
        {
            return default;
        }

        using Replies<FoundPlace> ends = question;
        for (int i = 0; i < Tries && !cancel.IsCancellationRequested; i++)
        {
            if (!TryFlood(id, question.Id))
            {
                return default;
            }

            if (await question.WaitAsync(1, _options.AskTime, cancel) != WaitResult.Enough)
            {
                continue;
            }

            EndpointPlace place = question.Take(0).Place;
            question.Clear();
            if (place.IsKnown && place != wrong)
            {
                return place;
            }
        }

        return default;
    }

    /// <summary>A search is here: on to the neighbours, once; if its endpoint is here, the asker hears.</summary>
    public Verdict OnQuery(in HopContext hop, Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        Coordinate asker = packet.Source;
        if (!_server.Shape.Contains(asker) || head.Run == 0 || packet.BodyLength != 0)
        {
            _counters.Malformed.Add();
            return Verdict.Drop(DropReason.Malformed);
        }

        if (asker == _server.Coordinate || !IsNew(asker.Packed ^ head.Run, header.Method ^ (header.Question << 16)))
        {
            return Verdict.Consume;
        }

        if (_endpoints.TryGet(new EndpointId(header.Destination), out LocalEndpoint? endpoint) && endpoint.IsOwned)
        {
            Answer(asker, header.Question, endpoint);
            return Verdict.Consume;
        }

        LinkSet on = _server.Topology.LinksUp;
        return Verdict.ViaAll(hop.ArrivedOn == Link.Local ? on : on - (LinkSet)hop.ArrivedOn);
    }

    /// <summary>An owner has answered.</summary>
    public Verdict OnHere(Packet packet)
    {
        EndpointPlace place = PlaceRecord.Read(packet.Body, _server.Shape);
        return
            place.Server == packet.Source
            && _asked.TryAdd(MessengerHeader.Of(packet).Question, new FoundPlace(place, false))
            ? Verdict.Consume
            : Verdict.Drop(DropReason.Stale);
    }

    private bool TryFlood(EndpointId id, ulong question)
    {
        if (_options.BroadcastsPerSecond == 0)
        {
            return false;
        }

        // A bucket that holds the searches of one second.
        long cost = (long)TimeSpan.FromSeconds(1).TotalNanoseconds / _options.BroadcastsPerSecond,
            now = _server.NowNanos,
            second = (long)TimeSpan.FromSeconds(1).TotalNanoseconds;
        _budgetNanos = Math.Max(_budgetNanos, now - second);
        if (_budgetNanos + cost > now || !_server.Packets.TryRent(0, out Packet? packet))
        {
            return false;
        }

        _budgetNanos += cost;
        _counters.Broadcasts.Add();
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        (header.Destination, header.Question) = (id.Value, question);
        header.Method = (ushort)++_searches;
        (head.Kind, head.Run) = (MessengerKind.Query, _run);
        _server.SendToAll(packet, _server.Topology.LinksUp);
        return true;
    }

    private void Answer(Coordinate asker, ulong question, LocalEndpoint endpoint)
    {
        if (!_server.Packets.TryRent(PlaceRecord.Size, out Packet? packet))
        {
            return;
        }

        PlaceRecord.Write(packet.WritableBody(), new EndpointPlace(_server.Coordinate, _run, endpoint.Term));
        MessengerHeader.HeadOf(packet).Kind = MessengerKind.Here;
        MessengerHeader.Of(packet).Question = question;
        _server.Send(packet, asker);
    }

    private bool IsNew(ulong asker, ulong search)
    {
        if (!_seen.Add((asker, search)))
        {
            return false;
        }

        _seenInOrder.Enqueue((asker, search));
        if (_seenInOrder.Count > Remembered)
        {
            _seen.Remove(_seenInOrder.Dequeue());
        }

        return true;
    }
}
