using System.Collections.Concurrent;
using System.Net;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Simulator.Live;
using CamCube.Tests;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>A front end in the loop of server 0 of a live cube, or of several cubes that share the keys. At its end
/// nothing may have gone wrong in it: faults happen on the loop's thread, where no assertion reaches the
/// test.</summary>
internal sealed class LoopBed : IServerEvents, IAsyncDisposable
{
    public static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(120);
    private readonly ErrorLog<MemcachedFrontEnd> _log = new();
    private readonly ConcurrentQueue<(string Service, Coordinate Server, Exception Error)> _faults = new();
    private readonly TaskCompletionSource _restarted = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly LiveCube[] _cubes;

    /// <param name="shape">Shape of a cube.</param>
    /// <param name="cache">Settings of all caches.</param>
    /// <param name="options">Settings of the front end.</param>
    /// <param name="parts">How many cubes.</param>
    /// <param name="time">The clock of all of it; null: the system's.</param>
    public LoopBed(
        TorusShape shape,
        CacheOptions cache,
        MemcachedFrontEndOptions options,
        int parts = 1,
        TimeProvider? time = null
    )
        : this(
            shape,
            ServiceDefinition.Of(typeof(CacheService), a => new CacheService(a.Server, cache)),
            options,
            parts,
            time
        ) { }

    /// <param name="shape">Shape of a cube.</param>
    /// <param name="cache">The cache, or what is in its place.</param>
    /// <param name="options">Settings of the front end.</param>
    /// <param name="parts">How many cubes.</param>
    /// <param name="time">The clock of all of it; null: the system's.</param>
    /// <param name="beside">Other services.</param>
    public LoopBed(
        TorusShape shape,
        ServiceDefinition cache,
        MemcachedFrontEndOptions options,
        int parts = 1,
        TimeProvider? time = null,
        params ServiceDefinition[] beside
    )
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Loops wait for sockets on Linux only.");
        _cubes =
        [
            .. Enumerable
                .Range(1, parts)
                .Select(seed => new LiveCube(
                    shape,
                    [.. beside, cache],
                    new ServerOptions(),
                    this,
                    new LiveCubeOptions { IsShared = parts > 1, SpinMicros = time is null ? 20 : 0 },
                    (ulong)seed,
                    time ?? TimeProvider.System
                )),
        ];
        FrontEnd = new MemcachedFrontEnd(Cube.GateOf(0), options, _log, time ?? TimeProvider.System)
        {
            Parts = [.. _cubes.Select(cube => cube.GateOf(0))],
        };
    }

    public IReadOnlyList<LiveCube> Cubes => _cubes;

    public LiveCube Cube => _cubes[0];

    public MemcachedFrontEnd FrontEnd { get; }

    public Task<SocketClient> ConnectAsync(int? receiveBuffer = null) =>
        SocketClient.ConnectAsync(FrontEnd.Port, receiveBuffer);

    public async ValueTask StartAsync()
    {
        foreach (LiveCube cube in _cubes)
        {
            await cube.StartAsync(default).AsTask().WaitAsync(TimeOut);
        }

        await FrontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
        Assert.True(FrontEnd.IsInLoop);
    }

    /// <summary>Does something while the loop of the first cube stands still, so that it finds all of it at
    /// once.</summary>
    /// <param name="act">What is done meanwhile.</param>
    /// <param name="untilDone">False: it cannot end as long as the loop is held.</param>
    public async Task WhileHeldAsync(Func<Task> act, bool untilDone = true)
    {
        using SemaphoreSlim held = new(0),
            over = new(0);
        ValueTask<int> holding = Cube.GateOf(0)
            .CallAsync<ICache, (SemaphoreSlim Held, SemaphoreSlim Over), int>(
                static (_, signals) =>
                {
                    signals.Held.Release();
                    Assert.True(signals.Over.Wait(TimeOut));
                    return ValueTask.FromResult(0);
                },
                (held, over)
            );
        Assert.True(await held.WaitAsync(TimeOut));
        Task acting = act();
        if (untilDone)
        {
            await acting;
        }

        over.Release();
        await holding;
        await acting;
    }

    /// <summary>Ends when a service was restarted.</summary>
    public Task Restarted => _restarted.Task;

    /// <summary>The faults of services so far, which the test expects: they are no failure any more.</summary>
    public IReadOnlyList<string> TakeFaults()
    {
        List<string> faults = [];
        while (_faults.TryDequeue(out (string Service, Coordinate Server, Exception Error) fault))
        {
            faults.Add($"{fault.Service}: {fault.Error.Message}");
        }

        return faults;
    }

    public async ValueTask DisposeAsync()
    {
        await FrontEnd.DisposeAsync().AsTask().WaitAsync(TimeOut);
        foreach (LiveCube cube in _cubes)
        {
            await cube.DisposeAsync().AsTask().WaitAsync(TimeOut);
        }

        Assert.True(!_log.Errors.Any(), string.Join("\n", _log.Errors));
        Assert.Empty(_faults.Select(fault => $"{fault.Service} at {fault.Server}: {fault.Error}"));
    }

    void IServerEvents.ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        _faults.Enqueue((service, server, exception));

    void IServerEvents.ServiceRestarted(Coordinate server, string service) => _restarted.TrySetResult();

    void IServerEvents.TopologyChanged(Coordinate server, TopologyChange change) { }
}
