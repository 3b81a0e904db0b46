using System.Net.Sockets;
using CamCube.Runtime;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;

namespace CamCube.Shim.Switch.Tests;

/// <summary>Whole servers in one process, each with a thread and connections of its own.</summary>
public sealed class SwitchCubeTests : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly TorusShape Shape = new(5, 3, 1);
    private readonly CableCube?[] _servers = new CableCube?[Shape.Count];
    private readonly string _addresses = string.Join(',', SwitchBed.FreePorts(Shape.Count).AsEnumerable());

    public async ValueTask DisposeAsync()
    {
        foreach (CableCube? server in _servers)
        {
            if (server is not null)
            {
                await server.DisposeAsync();
            }
        }
    }

    [Fact]
    public async Task Every_server_and_every_root_is_one_hop_away_and_a_chosen_link_leads_to_the_neighbour()
    {
        await StartAsync([.. Enumerable.Range(0, Shape.Count)]);
        await SeeAsync(Shape.Count);
        for (int to = 1; to < Shape.Count; to++)
        {
            Assert.Equal(1, await AskAsync(0, (walker, to) => walker.HopsAsync(to), (Destination)Shape.At(to)));
        }

        for (int i = 0; i < 30; i++)
        {
            Destination key = Key.OfName($"key {i}");
            Assert.Equal(1, await AskAsync(7, (walker, to) => walker.HopsAsync(to), key));
        }

        int neighbour = await AskAsync(0, (walker, to) => walker.NeighbourAsync(Link.XPlus, to), Shape.At(13));
        Assert.Equal(Shape.RankOf(Shape.Step(Shape.At(0), Link.XPlus)), neighbour);
    }

    [Fact]
    public async Task A_server_fails_its_keys_are_others_and_it_comes_back_beside_a_hostile_one()
    {
        await StartAsync([.. Enumerable.Range(0, Shape.Count)]);
        await SeeAsync(Shape.Count);
        using Socket hostile = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await hostile.ConnectAsync(System.Net.IPEndPoint.Parse(_addresses.Split(',')[6]));
        await hostile.SendAsync(Stranger.Greeting(Shape, 1, 6, cluster: "another"));
        Destination key = Key.OfName("a key").WithCoordinate(Shape.At(8));
        Assert.Equal(1, await AskAsync(2, (walker, to) => walker.HopsAsync(to), key));
        await _servers[8]!.DisposeAsync();
        _servers[8] = null;

        // Until the cube knows that it is gone what is for it is lost, and asked again.
        Assert.Equal(1, await AskAsync(2, (walker, to) => walker.HopsAsync(to), key));
        await SeeAsync(Shape.Count - 1);
        await StartAsync(8);
        await SeeAsync(Shape.Count);
        Assert.Equal(1, await AskAsync(2, (walker, to) => walker.HopsAsync(to), (Destination)Shape.At(8)));
    }

    private async Task StartAsync(params int[] ranks)
    {
        foreach (int rank in ranks)
        {
            _servers[rank] = new CableCube(
                new SwitchProvider(),
                new LinkProviderRequest(
                    Shape.At(rank),
                    Shape,
                    new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase) { ["Servers"] = _addresses }
                )
                {
                    Time = TimeProvider.System,
                },
                [ServiceDefinition.Of(activation => new Walker(activation.Server))],
                new ServerOptions(),
                new NoEvents(),
                1
            );
        }

        foreach (int rank in ranks)
        {
            await _servers[rank]!.StartAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(Patience);
        }
    }

    private async Task SeeAsync(int servers)
    {
        long began = TimeProvider.System.GetTimestamp();
        while (!_servers.All(s => s is null || s.GetStatus().Servers[0].ReachableServers == servers))
        {
            Assert.True(TimeProvider.System.GetElapsedTime(began) < Patience, $"{servers} servers are not seen by all");
            await Task.Delay(20, TestContext.Current.CancellationToken);
        }
    }

    private Task<int> AskAsync<T>(int rank, Func<Walker, T, ValueTask<int>> ask, T argument) =>
        _servers[rank]!
            .GateOf(rank)
            .CallAsync<Walker, (Func<Walker, T, ValueTask<int>> Ask, T Argument), int>(
                static (walker, a) => a.Ask(walker, a.Argument),
                (ask, argument)
            )
            .AsTask()
            .WaitAsync(Patience);

    private sealed class NoEvents : IServerEvents
    {
        public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
            Assert.Fail($"{service} at {server}: {exception}");

        public void ServiceRestarted(Coordinate server, string service) { }

        public void TopologyChanged(Coordinate server, TopologyChange change) { }
    }
}
