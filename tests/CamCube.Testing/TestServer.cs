using CamCube.Runtime.Cubes;

namespace CamCube.Testing;

/// <summary>One server of a <see cref="TestCube"/>.</summary>
/// <param name="cube">The cube.</param>
/// <param name="rank">The server's rank.</param>
public readonly struct TestServer(TestCube cube, int rank)
{
    /// <summary>Rank.</summary>
    public int Rank => rank;

    /// <summary>Place.</summary>
    public Coordinate Coordinate => cube.Shape.At(rank);

    /// <summary>Whether it runs.</summary>
    public bool IsRunning => cube.Cube.IsRunning(rank);

    /// <summary>Its gate, as front ends have it.</summary>
    public IServerGate Gate => cube.Cube.GateOf(rank);

    /// <summary>Its own view of the cube.</summary>
    public ITopologyView Topology => cube.Cube.TopologyOf(rank);

    /// <summary>Its counters.</summary>
    public ServerStatus Status => cube.Cube.StatusOf(rank);

    /// <summary>The running service that implements T.</summary>
    public T Service<T>()
        where T : class => cube.Cube.Service<T>(rank);

    /// <summary>The view of the server that this service has.</summary>
    public IServer ServerOf<T>()
        where T : class => cube.Cube.ServerOf<T>(rank);

    /// <summary>Begins a command of a service here, as somebody outside does who may control: while it runs, servers
    /// may die. <see cref="TestCube.Await{T}"/> it, once.</summary>
    /// <param name="service">The service's configured name.</param>
    /// <param name="command">The command.</param>
    /// <param name="arguments">Names and texts of its arguments.</param>
    public ValueTask<CommandResult> Begin(
        string service,
        string command,
        params ReadOnlySpan<(string Name, string Text)> arguments
    ) => BeginWith(default, service, command, arguments);

    /// <summary>The same with bytes.</summary>
    /// <param name="body">What is sent with it; lent until it has ended.</param>
    /// <param name="service">The service's configured name.</param>
    /// <param name="command">The command.</param>
    /// <param name="arguments">Names and texts of its arguments.</param>
    public ValueTask<CommandResult> BeginWith(
        ReadOnlyMemory<byte> body,
        string service,
        string command,
        params ReadOnlySpan<(string Name, string Text)> arguments
    ) => Gate.RunCommandAsync(CommandCall.Of(service, command, arguments) with { Body = body });

    /// <summary>Runs a command, and lets virtual time pass until it has ended.</summary>
    /// <param name="service">The service's configured name.</param>
    /// <param name="command">The command.</param>
    /// <param name="arguments">Names and texts of its arguments.</param>
    public CommandResult Call(
        string service,
        string command,
        params ReadOnlySpan<(string Name, string Text)> arguments
    ) => cube.Await(Begin(service, command, arguments));

    /// <summary>The same with bytes.</summary>
    /// <param name="body">What is sent with it.</param>
    /// <param name="service">The service's configured name.</param>
    /// <param name="command">The command.</param>
    /// <param name="arguments">Names and texts of its arguments.</param>
    public CommandResult CallWith(
        ReadOnlyMemory<byte> body,
        string service,
        string command,
        params ReadOnlySpan<(string Name, string Text)> arguments
    ) => cube.Await(BeginWith(body, service, command, arguments));

    /// <summary>Packets it dropped for a reason.</summary>
    public long DropsOf(DropReason reason) => cube.Cube.DropsOf(rank, reason);
}
