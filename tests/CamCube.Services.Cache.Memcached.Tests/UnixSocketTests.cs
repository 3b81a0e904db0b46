using System.Net;
using System.Net.Sockets;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Tests;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>The file of a Unix socket, and others at its place.</summary>
public sealed class UnixSocketTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-unix").FullName;

    private string SocketPath => Path.Combine(_folder, "socket");

    public void Dispose()
    {
        if (Directory.Exists(_folder))
        {
            Directory.Delete(_folder, recursive: true);
        }
    }

    [Theory]
    [InlineData("file")]
    [InlineData("empty file")]
    [InlineData("folder")]
    [InlineData("link")]
    public async Task What_is_no_socket_is_somebodys_and_stays(string kind)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Other files, other rules.");
        string other = Path.Combine(_folder, "other");
        File.WriteAllText(other, "theirs");
        if (kind == "folder")
        {
            Directory.CreateDirectory(SocketPath);
        }
        else if (kind == "link")
        {
            File.CreateSymbolicLink(SocketPath, other);
        }
        else
        {
            File.WriteAllText(SocketPath, kind == "file" ? "theirs" : "");
        }

        await using var frontEnd = new MemcachedFrontEnd(
            new FakeGate(new FakeCache()),
            new MemcachedFrontEndOptions { UnixSocket = SocketPath, Tcp = false },
            new ErrorLog<MemcachedFrontEnd>(),
            TimeProvider.System
        );
        FrontEndException error = await Assert.ThrowsAsync<FrontEndException>(async () =>
            await frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default)
        );
        Assert.Contains(SocketPath, error.Message, StringComparison.Ordinal);
        Assert.Contains("no socket", error.Message, StringComparison.Ordinal);
        Assert.Equal("theirs", File.ReadAllText(other));
        if (kind == "folder")
        {
            Assert.True(Directory.Exists(SocketPath));
        }
        else
        {
            Assert.Equal(kind == "empty file" ? "" : "theirs", File.ReadAllText(SocketPath));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Without_its_folder_the_front_end_ends_in_order_and_the_cache_goes_on(bool isReplaced)
    {
        var options = new MemcachedFrontEndOptions { UnixSocket = SocketPath };
        await using var bed = new LoopBed(new TorusShape(1, 1, 1), new CacheOptions(), options);
        await bed.StartAsync();
        using SocketClient client = await bed.ConnectAsync();
        await client.AskAsync("set a 0 0 1\r\nx\r\n", "STORED\r\n");
        File.Delete(SocketPath);
        if (isReplaced)
        {
            Directory.CreateDirectory(SocketPath);
        }
        else
        {
            Directory.Delete(_folder, recursive: true);
        }

        using var patience = new CancellationTokenSource(LoopBed.TimeOut);
        ValueTask draining = bed.FrontEnd.DrainAsync(patience.Token);
        Assert.Equal("", await client.ReceiveToEndAsync());
        await draining;
        Assert.False(patience.IsCancellationRequested);

        // And the bed has seen no fault.
    }
}
