using System.Reflection;
using CamCube.Administration.Answers;
using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Observing;
using CamCube.Runtime.Cubes;

namespace CamCube.Hosting.Http;

/// <summary>Turns a snapshot of the cube into the answers of the HTTP interface. Any thread.</summary>
internal sealed class StatusReport(
    HostPorts ports,
    ICube cube,
    FrontEndSet frontEnds,
    HostHealth health,
    TimeProvider time
)
{
    private readonly long _began = time.GetTimestamp();

    /// <summary>Version of the host.</summary>
    public static string Version { get; } =
        (
            typeof(StatusReport)
                .Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()
                ?.InformationalVersion
            ?? "0"
        ).Split('+')[0];

    /// <summary>Everything.</summary>
    public StatusAnswer All()
    {
        CubeStatus status = cube.GetStatus();
        TorusShape shape = status.Shape;
        return new StatusAnswer(
            Version,
            AnswerName.Of(health.Phase),
            Math.Round(time.GetElapsedTime(_began).TotalSeconds, 3),
            status.Shim,
            cube.CanControl,
            [shape.X, shape.Y, shape.Z],
            shape.ParallelCables,
            [.. ports.FrontEnds.Select(Of)],
            Of(ports.Http),
            [.. status.Servers.Select(server => Of(server, shape))],
            [.. status.Cables.Select(Of)]
        );
    }

    /// <summary>One server.</summary>
    public ServerAnswer Server(int rank)
    {
        CubeStatus status = cube.GetStatus();
        return Of(status.Servers.First(server => server.Rank == rank), status.Shape);
    }

    /// <summary>One cable, named from either end.</summary>
    public CableAnswer Cable(int rank, Link link)
    {
        CubeStatus status = cube.GetStatus();
        int neighbour = status.Shape.RankOf(status.Shape.Step(status.Shape.At(rank), link));
        return Of(
            status.Cables.First(cable =>
                (cable.Rank == rank && cable.Link == link) || (cable.Rank == neighbour && cable.Link == link.Opposite())
            )
        );
    }

    private static PortsAnswer Of(PortRange range) =>
        new(range.Name, range.Address.ToString(), range.First, range.Last);

    private static CableAnswer Of(CableStatus cable) =>
        new(cable.Rank, cable.Link.Name(), cable.NeighbourRank, AnswerName.Of(cable.State));

    private static LinkAnswer Of(LinkStatus link, TorusShape shape) =>
        new(
            link.Link.Name(),
            link.Neighbour.ToString(),
            shape.RankOf(link.Neighbour),
            link.IsUp ? "up" : "down",
            link.SentPackets,
            link.SentBytes,
            link.ReceivedPackets,
            link.ReceivedBytes
        );

    private static ServiceAnswer Of(ServiceStatus service) =>
        new(
            service.Id.ToString(),
            service.Name,
            AnswerName.Of(service.State),
            service.Faults,
            service.Arrived,
            service.Sent,
            service.Queued,
            service.Held,
            service.MaxCallbackNanos,
            [
                .. service.Counters.Select(c => new CounterAnswer(c.Name, c.Unit, c.Link?.Name(), c.Value)
                {
                    Label = c.Label,
                    Of = c.Of,
                }),
            ]
        )
        {
            Version = service.Version,
            Hash = service.Hash,
            Memory = Of(service.Memory),
            Claims =
                service.Claims.Count == 0
                    ? null
                    : [.. service.Claims.Select(c => new ClaimAnswer(c.Name, c.Bytes, c.InChunks))],
            LastFault = service.LastFault,
            Missing = service.Missing,
            Commands = service.Commands.Count == 0 ? null : [.. service.Commands.Select(command => command.Name)],
            CommandRuns = service.CommandRuns == 0 ? null : service.CommandRuns,
            CommandFaults = service.CommandFaults == 0 ? null : service.CommandFaults,
        };

    private static MemoryAnswer? Of(MemoryStatus memory) => memory == default ? null : new(memory.Used, memory.Limit);

    private ServerAnswer Of(ServerStatus server, TorusShape shape) =>
        new(
            server.Rank,
            server.Coordinate.ToString(),
            AnswerName.Of(server.State),
            server.Incarnation,
            server.ReachableServers,
            server.ViewVersion,
            new PacketsAnswer(server.PacketsInUse, server.PacketBudget),
            Ports(server.Rank),
            [.. server.Links.Select(link => Of(link, shape))],
            [.. server.Services.Select(Of)],
            server.Drops.ToDictionary(drop => AnswerName.Of(drop.Reason), drop => drop.Count)
        )
        {
            Memory = Of(server.Memory),
            Failure = server.Failure,
            Work =
                server.Work.Count == 0
                    ? null
                    :
                    [
                        .. server.Work.Select(w => new WorkAnswer(
                            w.Class,
                            w.Waiting,
                            w.Running,
                            w.Limit,
                            w.Refused,
                            w.Lost
                        )),
                    ],
        };

    private SortedDictionary<string, int> Ports(int rank)
    {
        SortedDictionary<string, int> ofServer = new(StringComparer.Ordinal)
        {
            [ports.Http.Name] = FrontEndSet.PortOf(ports.Http.First, rank, ports.LocalServers),
        };
        foreach ((string name, int port) in frontEnds.ListeningOn(rank))
        {
            ofServer[name] = port;
        }

        return ofServer;
    }
}
