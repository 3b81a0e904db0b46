using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Administration;
using CamCube.Administration.Answers;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Http;

/// <summary>The client that users' programs have, against a host and against what is none.</summary>
public sealed class HostClientTests : IAsyncLifetime
{
    private readonly FakeCubeFactory _cube = new();
    private TestHost _host = null!;
    private HostClient _client = null!;

    public async ValueTask InitializeAsync()
    {
        _host = await TestHost.StartAsync(_cube, ["--shape=3x2x1"], ports: 6);
        _client = new HostClient(new Uri($"http://127.0.0.1:{_host.HttpPort + 3}"));
    }

    public ValueTask DisposeAsync()
    {
        _client.Dispose();
        return _host.DisposeAsync();
    }

    [Fact]
    public async Task What_a_host_writes_a_client_reads()
    {
        StatusAnswer status = await _client.GetStatusAsync().SoonAsync();
        Assert.Equal((new TorusShape(3, 2, 1), "ready"), (status.Torus, status.Phase));
        Assert.Equal(Enumerable.Range(0, 6), status.Servers.Select(server => server.Rank));
        ServerAnswer server = status.Servers[4];
        Assert.Equal(_host.HttpPort + 4, server.Ports["http"]);
        Assert.Equal(("hits", 6L), (server.Services[0].Counters![0].Name, server.Services[0].Counters![0].Value));
        Assert.Equal("Oops: it broke", server.Services[0].LastFault);
        Assert.Equal("ready", (await _client.GetReadyAsync().SoonAsync()).Status);
        Assert.Equal(
            ["say", "forever"],
            (await _client.GetCommandsAsync("1,1,0", "echo").SoonAsync()).Commands.Select(command => command.Name)
        );
    }

    [Fact]
    public async Task Orders_are_carried_out_and_refusals_say_why()
    {
        Assert.Equal("stopped", (await _client.StopServerAsync("5").SoonAsync()).State);
        Assert.Equal("running", (await _client.StartServerAsync("2,1,0").SoonAsync()).State);
        Assert.Equal("cut", (await _client.CutCableAsync("0", Link.XPlus).SoonAsync()).State);
        Assert.Equal("up", (await _client.MendCableAsync("0", Link.XPlus).SoonAsync()).State);
        FaultRuleAnswer rule = await _client
            .AddFaultAsync("loss", [new("probability", "0.5"), new("at", "0,0,0:+x")])
            .SoonAsync();
        Assert.Equal("loss probability=0.5 at=0,0,0:+x", rule.Words);
        Assert.Equal([rule.Id], (await _client.GetFaultsAsync().SoonAsync()).Rules.Select(one => one.Id));
        Assert.Empty((await _client.EndFaultsAsync(rule.Id).SoonAsync()).Rules);

        HostException refused = await Assert.ThrowsAsync<HostException>(() => _client.StopServerAsync("99?#"));
        Assert.Equal((HostFailure.Refused, HttpStatusCode.NotFound), (refused.Failure, refused.Status));
        Assert.StartsWith("there is no server '99?#'; there are", refused.Message, StringComparison.Ordinal);
        refused = await Assert.ThrowsAsync<HostException>(() => _client.EndFaultsAsync(77));
        Assert.Equal("there is no fault rule '77' in force.", refused.Message);
    }

    [Fact]
    public async Task Many_threads_share_one_client_while_others_are_refused_and_cancelled()
    {
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        await Parallel.ForAsync(
            0,
            200,
            async (i, cancel) =>
            {
                switch (i % 4)
                {
                    case 0:
                        Assert.Equal(6, (await _client.GetStatusAsync(cancel)).Servers.Count);
                        break;
                    case 1:
                        HostException refused = await Assert.ThrowsAsync<HostException>(() =>
                            _client.StartServerAsync($"x{i}", cancel)
                        );
                        Assert.Contains($"'x{i}'", refused.Message, StringComparison.Ordinal);
                        break;
                    case 2:
                        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
                            _client.GetStatusAsync(cancelled.Token)
                        );
                        break;
                    default:
                        Assert.Equal("ready", (await _client.GetReadyAsync(cancel)).Status);
                        break;
                }
            }
        );
    }

    [Theory]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n{\"shape\":\"3x3x3\",\"a\":")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<html></h")]
    [InlineData("HTTP/1.1 404 Not Here\r\nContent-Length: 4\r\n\r\nnull")]
    [InlineData("HTTP/1.1 500 Oops\r\nContent-Length: 12\r\n\r\n{\"detail\":7}")]
    [InlineData("220 smtp ready\r\n")]
    [InlineData("")]
    public async Task What_is_no_host_is_said_to_be_none_in_one_line(string answer)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        Task serve = Task.Run(async () =>
        {
            using TcpClient client = await listener.AcceptTcpClientAsync();
            _ = await client.GetStream().ReadAtLeastAsync(new byte[4096], 16);
            await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes(answer));
        });
        using var client = new HostClient(new Uri($"http://{listener.LocalEndpoint}"));
        HostException e = await Assert.ThrowsAsync<HostException>(() => client.GetStatusAsync().SoonAsync());
        Assert.DoesNotContain('\n', e.Message);
        Assert.Contains($"{listener.LocalEndpoint}", e.Message, StringComparison.Ordinal);
        await serve.SoonAsync();
    }

    [Fact]
    public async Task A_host_that_says_nothing_is_waited_for_so_long_and_no_longer()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var client = new HostClient(new Uri($"http://{listener.LocalEndpoint}"))
        {
            Patience = TimeSpan.FromMilliseconds(300),
        };
        HostException e = await Assert.ThrowsAsync<HostException>(() => client.GetStatusAsync().SoonAsync());
        Assert.Equal(HostFailure.Unreachable, e.Failure);
        Assert.EndsWith("(nothing came within 0.3 s)", e.Message, StringComparison.Ordinal);
    }
}
