using System.Net;
using CamCube.Services.Cache.Memcached;

namespace CamCube.Services.Cache.Memcached.Tests.Tls;

/// <summary>On threads of the pool.</summary>
public sealed class TlsFrontEndTests : TlsScenarios
{
    private readonly FakeGate _gate = new(new FakeCache()) { Mode = GateMode.Pool };

    public TlsFrontEndTests() => FrontEnd = new MemcachedFrontEnd(_gate, Options, Log, Clock);

    private protected override MemcachedFrontEnd FrontEnd { get; }

    [Fact]
    public async Task All_protocols_answer_as_without_it()
    {
        foreach (
            (string name, string request, string reply) in Transcripts
                .All.Concat(MetaTranscripts.All)
                .Concat(BinaryTranscripts.All)
        )
        {
            // Tokens count from one in an empty cache.
            await using var frontEnd = new MemcachedFrontEnd(
                new FakeGate(new FakeCache()) { Mode = GateMode.Pool },
                Options,
                Log,
                Clock
            );
            await frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
            using SocketClient client = await SocketClient.ConnectTlsAsync(frontEnd.Port, Certificates.ClientTerms());
            await client.SendAsync(request);
            await client.EndTlsAsync();
            string actual = await client.ReceiveToEndAsync();
            Assert.True(reply == actual, $"{name}: {actual}");
        }
    }

    [Fact]
    public async Task Drain_answers_what_was_received_says_the_last_word_and_waits_for_no_handshake()
    {
        await StartAsync();
        using SocketClient idle = await ConnectAsync();
        await idle.AskAsync("version\r\n", Version);
        using SocketClient shaking = await SocketClient.ConnectAsync(FrontEnd.Port);
        _gate.Mode = GateMode.Held;
        using SocketClient busy = await ConnectAsync();
        await busy.SendAsync("delete a\r\nversion\r\n");
        await _gate.WaitForHeldAsync(1);

        Task drain = FrontEnd.DrainAsync(default).AsTask();
        Assert.Equal("", await idle.ReceiveToEndAsync());
        Assert.Equal("", await shaking.ReceiveToEndAsync());
        _gate.ReleaseAll();
        Assert.Equal($"NOT_FOUND\r\n{Version}", await busy.ReceiveToEndAsync());
        await drain.WaitAsync(TimeOut);
        Assert.Equal(0, FrontEnd.ConnectionCount);
    }
}
