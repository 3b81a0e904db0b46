using System.Diagnostics;
using System.Runtime.Versioning;
using CamCube.Runtime;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;
using CamCube.Shim.Ethernet;

namespace CamCube.Shim.Tests.Kit;

/// <summary>Two real servers on two cables (shape 2x1x1), each with its own thread. Made and used on the thread of a
/// <see cref="Sandbox"/>.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class CubePair : IServerEvents, IDisposable
{
    private static readonly TorusShape Shape = new(2, 1, 1);
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);
    private readonly List<Exception> _faults = [];

    public CubePair(int mtu, params string[] settings)
    {
        Sandbox.Cable("p0", "m1", mtu);
        Sandbox.Cable("m0", "p1", mtu);
        Servers = [Make(0, "p0,m0", settings), Make(1, "p1,m1", settings)];
        foreach (CableCube server in Servers)
        {
            server.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous).GetAwaiter().GetResult();
        }
    }

    public CableCube[] Servers { get; }

    public ServerStatus StatusOf(int rank) => Servers[rank].GetStatus().Servers[0];

    /// <summary>Waits for all cables.</summary>
    public void Whole() =>
        Until(
            () =>
                Enumerable
                    .Range(0, 2)
                    .All(r =>
                        StatusOf(r) is { ReachableServers: 2, State: ServerState.Running } s && s.Links.All(l => l.IsUp)
                    ),
            "the cube is not whole"
        );

    public void Until(Func<bool> condition, string what) =>
        Assert.True(SpinWait.SpinUntil(() => Sleeping(condition), Generous), $"{what}: {StatusOf(0)} {StatusOf(1)}");

    public int Ask(int from, int to, int number, int body = 0) =>
        Servers[from]
            .GateOf(from)
            .CallAsync<Echo, (Coordinate To, int Number, int Body), int>(
                static (s, a) => s.AskAsync(a.To, a.Number, a.Body),
                (Shape.At(to), number, body)
            )
            .AsTask()
            .WaitAsync(Generous)
            .GetAwaiter()
            .GetResult();

    public int MaxPayload(int rank) =>
        Servers[rank]
            .GateOf(rank)
            .CallAsync<Echo, int, int>(static (s, _) => ValueTask.FromResult(s.Server.Packets.MaxPayload), 0)
            .AsTask()
            .GetAwaiter()
            .GetResult();

    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart)
    {
        lock (_faults)
        {
            _faults.Add(exception);
        }
    }

    public void ServiceRestarted(Coordinate server, string service) { }

    public void TopologyChanged(Coordinate server, TopologyChange change) { }

    public void Dispose()
    {
        foreach (CableCube server in Servers)
        {
            server.DisposeAsync().AsTask().WaitAsync(Generous).GetAwaiter().GetResult();
        }

        Assert.Empty(_faults);
    }

    private static bool Sleeping(Func<bool> condition)
    {
        if (condition())
        {
            return true;
        }

        Thread.Sleep(5);
        return false;
    }

    private CableCube Make(int rank, string interfaces, string[] settings)
    {
        var all = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase) { ["Interfaces"] = interfaces };
        foreach (string[] setting in settings.Select(s => s.Split('=')))
        {
            all[setting[0]] = setting[1];
        }

        var request = new LinkProviderRequest(Shape.At(rank), Shape, all) { Time = TimeProvider.System };
        return new CableCube(
            new EthernetProvider((r, ports) => new FixedCabling(r, ports)),
            request,
            [ServiceDefinition.Of(activation => new Echo(activation.Server))],
            new ServerOptions(),
            this,
            1
        );
    }
}
