using System.Collections.Concurrent;
using System.Net;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Cache.FrontEnds;
using CamCube.Simulator.Live;

namespace CamCube.Services.Cache.Tests.Memcached;

/// <summary>A front end in the loop of server 0 of a live cube, or of several cubes that share the keys. At its end nothing may have gone wrong in it:
/// faults happen on the loop's thread, where no assertion reaches the test.</summary>
internal sealed class LoopBed : IServerEvents, IAsyncDisposable
{
    public static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(120);
    private readonly ErrorLog _log = new();
    private readonly ConcurrentQueue<string> _faults = new();
    private readonly LiveCube[] _cubes;

    /// <param name="shape">Shape of a cube.</param>
    /// <param name="cache">Settings of all caches.</param>
    /// <param name="options">Settings of the front end.</param>
    /// <param name="parts">How many cubes.</param>
    public LoopBed(TorusShape shape, CacheOptions cache, MemcachedFrontEndOptions options, int parts = 1)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Loops wait for sockets on Linux only.");
        _cubes = [.. Enumerable.Range(1, parts).Select(seed => new LiveCube(
            shape,
            [ServiceDefinition.Of(typeof(CacheService), a => new CacheService(a.Server, cache))],
            new ServerOptions(),
            this,
            new LiveCubeOptions(),
            (ulong)seed,
            TimeProvider.System))];
        FrontEnd = new MemcachedFrontEnd(Cube.GateOf(0), options, _log, TimeProvider.System)
        {
            Parts = [.. _cubes.Select(cube => cube.GateOf(0))],
        };
    }

    public LiveCube Cube => _cubes[0];

    public MemcachedFrontEnd FrontEnd { get; }

    public Task<SocketClient> ConnectAsync(int? receiveBuffer = null) => SocketClient.ConnectAsync(FrontEnd.Port, receiveBuffer);

    public async ValueTask StartAsync()
    {
        foreach (LiveCube cube in _cubes)
            await cube.StartAsync(default).AsTask().WaitAsync(TimeOut);
        await FrontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
        Assert.True(FrontEnd.IsInLoop);
    }

    public async ValueTask DisposeAsync()
    {
        await FrontEnd.DisposeAsync().AsTask().WaitAsync(TimeOut);
        foreach (LiveCube cube in _cubes)
            await cube.DisposeAsync().AsTask().WaitAsync(TimeOut);
        Assert.True(!_log.Errors.Any(), string.Join("\n", _log.Errors));
        Assert.Empty(_faults);
    }

    void IServerEvents.ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        _faults.Enqueue($"{service} at {server}: {exception}");

    void IServerEvents.ServiceRestarted(Coordinate server, string service)
    {
    }

    void IServerEvents.TopologyChanged(Coordinate server, TopologyChange change)
    {
    }
}
