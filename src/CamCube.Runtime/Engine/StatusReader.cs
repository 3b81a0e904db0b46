using CamCube.Runtime.Cubes;

namespace CamCube.Runtime.Engine;

/// <summary>
/// Reads a server's counters from outside its loop. Each number is right by itself; numbers of one snapshot may be some
/// packets apart.
/// </summary>
internal static class StatusReader
{
    public static ServerStatus Stopped(TorusShape shape, int rank) =>
        new(rank, shape.At(rank), ServerState.Stopped, 0, 0, 0, 0, 0, [], [], []);

    /// <summary>A server that does not run, in a process whose loops end by this task.</summary>
    public static ServerStatus NotRunning(TorusShape shape, int rank, Task ended) =>
        ended.Exception?.InnerException is { } error
            ? Stopped(shape, rank) with
            {
                State = ServerState.Failed,
                Failure = ErrorText.Describe(error),
            }
            : Stopped(shape, rank);

    /// <summary>The whole status, with the packets that each service holds; it looks at all packets of the
    /// loop.</summary>
    public static ServerStatus Read(ServerRuntime server) => Read(server, server.Context.Pool.CountByOwner());

    /// <summary>The whole status.</summary>
    /// <param name="server">The server.</param>
    /// <param name="owners">Packets by owner word, as <see cref="PacketPool.CountByOwner"/> says; empty: nobody asks
    /// who holds them.</param>
    public static ServerStatus Read(ServerRuntime server, Dictionary<uint, int> owners)
    {
        Router router = server.Router;
        return new ServerStatus(
            server.Rank,
            server.Coordinate,
            router.HasKeys ? ServerState.Running : ServerState.WithoutKeys,
            server.Incarnation,
            router.ReachableCount,
            router.Version,
            server.PacketsInUse,
            server.PacketLimit,
            LinksOf(server),
            [.. server.Host.Slots.Select(slot => ReadService(server, slot, owners))],
            DropsOf(server)
        )
        {
            Memory = new MemoryStatus(server.MemoryBudget.Used, server.MemoryBudget.Limit),
            Work = server.StartedWork?.Read() ?? [],
        };
    }

    /// <summary>What a service may tell of its server.</summary>
    public static ServerSummary Summarise(ServerRuntime server)
    {
        ServerStatus status = Read(server, []);
        return new ServerSummary(
            status.State == ServerState.Running,
            status.Incarnation,
            status.ReachableServers,
            status.ViewVersion,
            status.PacketsInUse,
            status.PacketBudget,
            [
                .. status.Links.Select(l => new LinkSummary(
                    l.Link,
                    l.IsUp,
                    l.SentPackets,
                    l.SentBytes,
                    l.ReceivedPackets,
                    l.ReceivedBytes
                )),
            ],
            [
                .. status.Services.Select(s => new ServiceSummary(
                    s.Id,
                    s.Name,
                    s.State == Services.ServiceState.Running,
                    s.Faults,
                    s.Arrived,
                    s.Sent
                )
                {
                    RoutesItself = s.RoutesItself,
                }),
            ],
            [.. status.Drops.Select(d => (d.Reason, d.Count))]
        );
    }

    private static List<LinkStatus> LinksOf(ServerRuntime server)
    {
        var links = new List<LinkStatus>();
        LinkSet up = server.Topology.LinksUp;
        ServerCounters counters = server.Counters;
        foreach (Link link in new LinkSet(server.Router.CabledBits))
        {
            LinkTally tally = counters.Links[(int)link];
            links.Add(
                new LinkStatus(
                    link,
                    server.Topology.Neighbour(link),
                    up.Contains(link),
                    tally.SentPackets,
                    tally.SentBytes,
                    tally.ReceivedPackets,
                    tally.ReceivedBytes
                )
            );
        }

        return links;
    }

    private static List<DropCount> DropsOf(ServerRuntime server)
    {
        var drops = new List<DropCount>();
        for (int i = 0; i < ServerCounters.Reasons; i++)
        {
            if (server.Counters.Drops[i] != 0)
            {
                drops.Add(
                    new DropCount(
                        i == ServerCounters.Reasons - 1 ? DropReason.FirstOfServices : (DropReason)i,
                        server.Counters.Drops[i]
                    )
                );
            }
        }

        return drops;
    }

    private static ServiceStatus ReadService(ServerRuntime server, ServiceSlot slot, Dictionary<uint, int> owners)
    {
        List<CounterValue> values = [];
        List<(string Name, string Unit)> tagged = [];
        lock (slot.Counters)
        {
            values.AddRange(slot.Counters.Select(c => new CounterValue(c.Name, c.Unit, null, c.Value)));
        }

        lock (slot.LinkCounters)
        {
            foreach (LinkCounter counter in slot.LinkCounters)
            {
                tagged.Add((counter.Name, counter.Unit));
                for (int i = 0; i < Links.Count; i++)
                {
                    if (counter[(Link)i] != 0)
                    {
                        values.Add(new CounterValue(counter.Name, counter.Unit, (Link)i, counter[(Link)i]));
                    }
                }
            }
        }

        lock (slot.LabelledCounters)
        {
            foreach (LabelledCounter counter in slot.LabelledCounters)
            {
                tagged.Add((counter.Name, counter.Unit));
                values.AddRange(
                    counter
                        .Read()
                        .Select(read => new CounterValue(counter.Name, counter.Unit, null, read.Value)
                        {
                            Label = counter.Label,
                            Of = read.Of,
                        })
                );
            }
        }

        return new ServiceStatus(
            slot.Definition.Id,
            slot.Definition.Name,
            slot.State,
            slot.Faults,
            slot.Arrived,
            slot.Sent,
            server.Egress.Count(slot.Index),
            owners.GetValueOrDefault(slot.HeldOwner),
            slot.MaxCallbackNanos,
            values
        )
        {
            Memory = slot.View.ClaimedMemory is { } memory ? new MemoryStatus(memory.Claimed, memory.Limit) : default,
            Claims =
            [
                .. (slot.View.ClaimedMemory?.Claims ?? []).Select(c => new ClaimStatus(c.Name, c.Bytes, c.InChunks)),
            ],
            Version = slot.Definition.Version,
            Hash = slot.Definition.Hash,
            Tagged = tagged,
            RoutesItself = slot.Instance is ExtendedService,
            Commands = slot.Commands,
            CommandRuns = slot.CommandRuns,
            CommandFaults = slot.CommandFaults,
            LastFault = slot.LastFault,
            Unwell = UnwellOf(slot.Health),
            Missing = slot.Missing,
        };
    }

    // Whoever asks is no loop, and must not pay for a service's mistake.
    private static string? UnwellOf(IServiceHealth? health)
    {
        try
        {
            return health?.Unwell;
        }
        catch (Exception e)
        {
            return $"threw {e.GetType().Name} when it was asked how it is";
        }
    }
}
