using System.Net;
using System.Net.Sockets;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Tests;

namespace CamCube.Services.Cache.Memcached.Tests.Differential;

/// <summary>The front end over a cache of the test, on a port that the system chooses.</summary>
internal sealed class OurServer : IAsyncDisposable
{
    private readonly MemcachedFrontEnd _frontEnd;

    private OurServer(IServerGate gate) =>
        _frontEnd = new MemcachedFrontEnd(
            gate,
            new MemcachedFrontEndOptions(),
            new ErrorLog<MemcachedFrontEnd>(),
            TimeProvider.System
        );

    public static async Task<OurServer> StartAsync(IServerGate gate)
    {
        var server = new OurServer(gate);
        await server._frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
        return server;
    }

    public async Task<BytePeer> ConnectAsync()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(IPAddress.Loopback, _frontEnd.Port);
        return new BytePeer(socket, "CamCube");
    }

    public ValueTask DisposeAsync() => _frontEnd.DisposeAsync();
}
