using CamCube.FrontEnds.Descriptors;

namespace CamCube.Services.Collectives.FrontEnds;

/// <summary>
/// Collectives for programs of this machine, in any language (docs/collectives-socket.md): a Unix socket per server
/// that only its owner may open, vectors in files whose descriptors are passed along it. On pool threads. Linux only.
/// </summary>
[FrontEnd("collectives", 0, StartsByDefault = false)]
public sealed class CollectivesFrontEnd : IFrontEnd
{
    private readonly DescriptorServer _server;
    private readonly MemoryRoom _room;
    private readonly string _path;

    /// <summary>The front end of one server.</summary>
    /// <param name="gate">The server.</param>
    /// <param name="options">Settings.</param>
    /// <param name="time">For messages that do not come.</param>
    public CollectivesFrontEnd(IServerGate gate, CollectivesFrontEndOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(gate);
        ArgumentNullException.ThrowIfNull(options);
        int rank = gate.Shape.RankOf(gate.Coordinate);
        string folder = options.Folder.Length > 0 ? options.Folder : Path.GetTempPath();
        _path = Path.Combine(folder, $"camcube-collectives-{rank}.sock");
        _room = new MemoryRoom(options.MaxBytes);
        _server = new DescriptorServer(
            options.MaxConnections,
            options.MessageTime,
            time,
            connection => new SocketClient(connection, gate, _room).ServeAsync()
        );
    }

    /// <inheritdoc/>
    public string? ReadyText => _path;

    /// <inheritdoc/>
    public ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel)
    {
        _server.Start(_path);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DrainAsync(CancellationToken cancel) => _server.DrainAsync();

    /// <inheritdoc/>
    public ValueTask StopAsync() => _server.StopAsync();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _server.StopAsync();
}
