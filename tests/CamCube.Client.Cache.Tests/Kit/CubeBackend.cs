using System.Net;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Cache;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Simulator.Live;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.Client.Cache.Tests.Kit;

/// <summary>A live cube of two servers with a front end each: half of the keys are at the other one.</summary>
public class CubeBackend : Backend, IServerEvents
{
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);
    private readonly LiveCube _cube;
    private readonly MemcachedFrontEnd[] _frontEnds;

    public CubeBackend()
        : this(new MemcachedFrontEndOptions()) { }

    private protected CubeBackend(MemcachedFrontEndOptions options)
    {
        _cube = new LiveCube(
            new TorusShape(2, 1, 1),
            [ServiceDefinition.Of(typeof(CacheService), a => new CacheService(a.Server, new CacheOptions()))],
            new ServerOptions(),
            this,
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        _frontEnds =
        [
            .. Enumerable
                .Range(0, 2)
                .Select(rank => new MemcachedFrontEnd(
                    _cube.GateOf(rank),
                    options,
                    NullLogger<MemcachedFrontEnd>.Instance,
                    TimeProvider.System
                )),
        ];
    }

    public override async ValueTask InitializeAsync()
    {
        await _cube.StartAsync(default).AsTask().WaitAsync(TimeOut);
        foreach (MemcachedFrontEnd frontEnd in _frontEnds)
        {
            await frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
        }

        Addresses = [.. _frontEnds.Select(frontEnd => $"127.0.0.1:{frontEnd.Port}")];
    }

    /// <summary>Closes one front end's port and its connections; the server behind it lives on.</summary>
    public Task StopFrontEndAsync(int rank) => _frontEnds[rank].StopAsync().AsTask().WaitAsync(TimeOut);

    public override async ValueTask DisposeAsync()
    {
        foreach (MemcachedFrontEnd frontEnd in _frontEnds)
        {
            await frontEnd.DisposeAsync().AsTask().WaitAsync(TimeOut);
        }

        await _cube.DisposeAsync().AsTask().WaitAsync(TimeOut);
        GC.SuppressFinalize(this);
    }

    void IServerEvents.ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        Assert.Fail($"{service} at {server}: {exception}");

    void IServerEvents.ServiceRestarted(Coordinate server, string service) { }

    void IServerEvents.TopologyChanged(Coordinate server, TopologyChange change) { }
}
