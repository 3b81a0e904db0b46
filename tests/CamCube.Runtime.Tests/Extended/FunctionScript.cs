using CamCube.Runtime.Services;

namespace CamCube.Runtime.Tests.Extended;

/// <summary>What a <see cref="FunctionService"/> does, told by a test. One script serves all servers of a
/// cube.</summary>
internal sealed class FunctionScript
{
    public delegate KeySet Function(FunctionService self, in RoutingPoint at, Packet packet);

    public delegate Verdict Arrival(FunctionService self, in RoutingPoint at, Packet packet);

    public delegate Verdict Hop(FunctionService self, in HopContext hop, Packet packet);

    /// <summary>F.</summary>
    public required Function Next { get; init; }

    public Arrival? Arrived { get; set; }

    public Hop? Base { get; set; }

    public Dictionary<int, FunctionService> Running { get; } = [];

    /// <summary>Where F was evaluated, in order: vertex, and server in brackets if it stands in.</summary>
    public List<string> Way { get; } = [];

    /// <summary>Where packets arrived, in order, likewise.</summary>
    public List<string> Ends { get; } = [];

    /// <summary>Whether nothing is written down, for tests of allocation and of several threads.</summary>
    public bool Silent { get; init; }

    /// <summary>Hops of all packets that arrived.</summary>
    public int Hops { get; set; }

    public FunctionService this[int rank] => Running[rank];

    public ServiceDefinition Define(int header = 0, QueueOptions? queue = null) =>
        new()
        {
            Id = new ServiceId(0x0300),
            Name = "function",
            HeaderLength = header,
            Queue = queue ?? new QueueOptions(),
            Create = activation => new FunctionService(activation.Server, this),
        };

    public static string Name(in RoutingPoint at) => at.IsStandIn ? $"{at.Vertex} ({at.Server})" : $"{at.Vertex}";
}
