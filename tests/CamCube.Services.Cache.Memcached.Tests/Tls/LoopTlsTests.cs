using System.Net.Security;
using System.Net.Sockets;
using System.Text;
using CamCube.Runtime.Services;
using CamCube.Services.Cache.Memcached;

namespace CamCube.Services.Cache.Memcached.Tests.Tls;

/// <summary>In the server's loop, where a step of TLS that left the loop's thread is an error in the log, and so a
/// failure.</summary>
public sealed class LoopTlsTests : TlsScenarios
{
    private readonly LoopBed _bed;

    public LoopTlsTests() =>
        _bed = new LoopBed(
            new TorusShape(1, 1, 1),
            ServiceDefinition.Of(typeof(CacheService), a => new CacheService(a.Server, new CacheOptions())),
            Options,
            time: Clock
        );

    private protected override MemcachedFrontEnd FrontEnd => _bed.FrontEnd;

    public override async ValueTask DisposeAsync()
    {
        await _bed.DisposeAsync();
        await base.DisposeAsync();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Every_answer_comes_however_records_are_cut(int seed)
    {
        await StartAsync();
        var random = new Random(seed);
        using TcpClient socket = await DialAsync();
        await using var tls = new SslStream(new CuttingStream(socket.GetStream(), random));
        await tls.AuthenticateAsClientAsync(Certificates.ClientTerms()).WaitAsync(TimeOut);
        for (int i = 0; i < 30; i++)
        {
            string value = new((char)('a' + (i % 26)), random.Next(4) == 0 ? random.Next(100_000) : random.Next(200));
            string gets = string.Concat(Enumerable.Repeat("get a\r\n", random.Next(1, 40)));
            string hit = $"VALUE a 0 {value.Length}\r\n{value}\r\nEND\r\n";
            await tls.WriteAsync(Encoding.ASCII.GetBytes($"set a 0 0 {value.Length}\r\n{value}\r\n{gets}"))
                .AsTask()
                .WaitAsync(TimeOut);
            var answer = new byte["STORED\r\n".Length + (hit.Length * gets.Length / "get a\r\n".Length)];
            await tls.ReadExactlyAsync(answer).AsTask().WaitAsync(TimeOut);
            Assert.Equal(
                "STORED\r\n" + string.Concat(Enumerable.Repeat(hit, gets.Length / "get a\r\n".Length)),
                Encoding.ASCII.GetString(answer)
            );
        }
    }

    [Fact]
    public async Task A_request_allocates_nothing_on_the_loop()
    {
        const int Requests = 500;
        await StartAsync();
        using SocketClient client = await ConnectAsync();
        await client.AskAsync("set a 0 0 5\r\nhello\r\n", "STORED\r\n");
        long least = long.MaxValue;
        for (int i = 0; i < 10; i++)
        {
            long before = await AllocatedOnTheLoopAsync();
            for (int j = 0; j < Requests; j++)
            {
                await client.AskAsync("get a\r\n", "VALUE a 0 5\r\nhello\r\nEND\r\n");
            }

            least = Math.Min(least, await AllocatedOnTheLoopAsync() - before);
        }

        // The call that asks is not free of it; the requests must not add to that.
        Assert.InRange(least, 0, 400);
    }

    [Fact]
    public async Task A_damaged_record_ends_its_client_and_nobody_else()
    {
        await StartAsync();
        const int Gets = 200;
        using SocketClient other = await ConnectAsync();
        string all = string.Concat(Enumerable.Repeat("END\r\n", Gets));
        int ended = 0;
        for (int seed = 0; seed < 60; seed++)
        {
            var random = new Random(seed);
            using TcpClient socket = await DialAsync();
            var cutting = new CuttingStream(socket.GetStream(), random) { DamagedByte = random.Next(3_000) };
            await using var tls = new SslStream(cutting);
            var answers = new byte[4_096];
            int length = 0;
            try
            {
                await tls.AuthenticateAsClientAsync(Certificates.ClientTerms()).WaitAsync(TimeOut);
                for (int i = 0; i < Gets; i++)
                {
                    await tls.WriteAsync("get a\r\n"u8.ToArray()).AsTask().WaitAsync(TimeOut);
                }

                socket.Client.Shutdown(SocketShutdown.Send);
                while (await tls.ReadAsync(answers.AsMemory(length)).AsTask().WaitAsync(TimeOut) is > 0 and int count)
                {
                    length += count;
                }
            }
            catch (Exception error)
                when (error is IOException or System.Security.Authentication.AuthenticationException or SocketException)
            {
                // Told by an alert, or by the end of the connection.
            }

            // Some bytes of the first record are nobody's concern; then all answers come.
            Assert.StartsWith(Encoding.ASCII.GetString(answers, 0, length), all, StringComparison.Ordinal);
            ended += length < all.Length ? 1 : 0;
            await other.AskAsync("version\r\n", Version);
        }

        Assert.InRange(ended, 50, 60);
    }

    [Fact]
    public async Task Who_does_not_read_is_read_no_more_and_gets_all_when_he_does()
    {
        await StartAsync();
        using SocketClient late = await SocketClient.ConnectTlsAsync(
            FrontEnd.Port,
            Certificates.ClientTerms(),
            receiveBuffer: 4096
        );
        string value = new('v', 1_000_000),
            found = $"VALUE big 0 {value.Length}\r\n{value}\r\nEND\r\n";
        await late.AskAsync($"set big 0 0 {value.Length}\r\n{value}\r\n", "STORED\r\n");
        await late.SendAsync(string.Concat(Enumerable.Repeat("get big\r\n", 20)));
        using SocketClient other = await ConnectAsync();
        await other.AskAsync("get a\r\n", "END\r\n");
        await late.SendAsync("get a\r\nquit\r\n");
        for (int i = 0; i < 20; i++)
        {
            await late.ExpectAsync(found);
        }

        Assert.Equal("END\r\n", await late.ReceiveToEndAsync());
    }

    [Fact]
    public async Task Bytes_are_counted_as_clients_see_them_and_the_last_command_before_the_end_is_answered()
    {
        await StartAsync();
        using SocketClient client = await ConnectAsync();
        await client.AskAsync("get a\r\n", "END\r\n");
        Assert.Equal("14", await client.StatAsync("bytes_read"));
        await client.SendAsync("version\r\n");
        await client.EndTlsAsync();
        Assert.Equal(Version, await client.ReceiveToEndAsync());
    }

    private protected override async Task StartAsync() => await _bed.StartAsync();

    private async Task<TcpClient> DialAsync()
    {
        var socket = new TcpClient { NoDelay = true };
        await socket.ConnectAsync(System.Net.IPAddress.Loopback, FrontEnd.Port).WaitAsync(TimeOut);
        return socket;
    }

    private async Task<long> AllocatedOnTheLoopAsync() =>
        await _bed
            .Cube.GateOf(0)
            .CallAsync<ICache, int, long>(
                static (_, _) => ValueTask.FromResult(GC.GetAllocatedBytesForCurrentThread()),
                0
            );
}
