using System.Net;
using System.Net.Sockets;
using CamCube.Shim.Switch.Connections;
using CamCube.Shim.Switch.Settings;

namespace CamCube.Shim.Switch.Tests;

/// <summary>Servers of one cube in one process, over loopback. One thread; time passes in rounds of a
/// millisecond.</summary>
internal sealed class SwitchBed : IDisposable
{
    private const int MostRounds = 60_000;
    private readonly FakeServer?[] _servers;
    private long _now;

    public SwitchBed(TorusShape shape, IReadOnlyList<int>? running = null)
    {
        Shape = shape;
        Options = new SwitchOptions { Servers = FreePorts(shape.Count), QueueBytes = 256 << 10 };
        _servers = new FakeServer?[shape.Count];
        foreach (int rank in running ?? [.. Enumerable.Range(0, shape.Count)])
        {
            Start(rank);
        }
    }

    public TorusShape Shape { get; }

    public SwitchOptions Options { get; set; }

    public long Now => _now;

    public FakeServer this[int rank] => _servers[rank]!;

    public void Start(int rank) => _servers[rank] = new FakeServer(Shape, rank, Options);

    public void Stop(int rank)
    {
        _servers[rank]!.Links.Close();
        _servers[rank] = null;
    }

    /// <summary>Time passes until it is so.</summary>
    public void Until(Func<bool> isSo, string what)
    {
        for (int round = 0; !isSo(); round++)
        {
            if (round == MostRounds)
            {
                Assert.Fail($"{what}: not so after {_now / 1_000_000} ms: {string.Join("; ", _servers.Select(Tell))}");
            }

            Round();
        }
    }

    /// <summary>Time passes.</summary>
    public void Pass(int millis)
    {
        for (int i = 0; i < millis; i++)
        {
            Round();
        }
    }

    /// <summary>All are connected with all.</summary>
    public void Connect()
    {
        int running = _servers.Count(static server => server is not null);
        Until(
            () => _servers.All(server => server is null || server.Links.Counts.Opened >= running - 1),
            "all are connected"
        );
    }

    public void Dispose()
    {
        foreach (FakeServer? server in _servers)
        {
            server?.Links.Close();
        }
    }

    private static string Tell(FakeServer? server) =>
        server is null
            ? "stopped"
            : $"opened {server.Links.Counts.Opened}, ended {server.Links.Counts.Ended}, "
                + $"silent {server.Links.Counts.Silent}, slow {server.Links.Counts.Slow}, "
                + $"malformed {server.Links.Counts.Malformed}, arrived {server.Arrived.Count}";

    public static IPEndPoint[] FreePorts(int count)
    {
        Socket[] sockets =
        [
            .. Enumerable
                .Range(0, count)
                .Select(static _ =>
                {
                    var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                    socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
                    return socket;
                }),
        ];
        IPEndPoint[] ends = [.. sockets.Select(static socket => (IPEndPoint)socket.LocalEndPoint!)];
        Array.ForEach(sockets, static socket => socket.Dispose());
        return ends;
    }

    private void Round()
    {
        _now += 1_000_000;
        foreach (FakeServer? server in _servers)
        {
            server?.Step(_now);
        }
    }
}
