using System.Net.Sockets;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests.Fuzz;

/// <summary>
/// Commands that nobody would send, to clients in the loop of a real cache: no fault, no error in the log, nobody
/// hangs, nobody stays. 100,000 per run, or as many as <c>CAMCUBE_FUZZ_INPUTS</c> says.
/// </summary>
public sealed class MemcachedFuzzTests(ITestOutputHelper output) : IDisposable
{
    private const int CommandsEach = 20,
        Workers = 8;
    private const string Version = "VERSION 1.6.18-camcube-0.1.0\r\n";
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-fuzz").FullName;

    private string SocketPath => Path.Combine(_folder, "socket");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task No_command_fails_a_connection_or_leaves_one_behind()
    {
        output.WriteLine($"seed {LongRun.Seed}, {LongRun.FuzzInputs} inputs");
        var options = new MemcachedFrontEndOptions
        {
            UnixSocket = SocketPath,
            CommandsPerTurn = 7,
            MaxLineLength = 4_096,
            AllowDump = true,
        };
        await using var bed = new LoopBed(new TorusShape(1, 1, 1), new CacheOptions(), options);
        await bed.StartAsync();
        using SocketClient other = await bed.ConnectAsync();
        await other.AskAsync("version\r\n", Version);
        long connections = Math.Max(1, LongRun.FuzzInputs / CommandsEach / Workers);
        await Task.WhenAll(Enumerable.Range(0, Workers).Select(i => Task.Run(() => WorkAsync(i, connections, other))));

        // Those who went are gone, their commands are done, and the cache does what it did.
        while (bed.FrontEnd.ConnectionCount > 1)
        {
            await Task.Yield();
        }

        await other.AskAsync("version\r\n", Version);
        Assert.Equal("1", await other.StatAsync("curr_connections"));
        await other.AskAsync(
            "flush_all\r\nset a 0 0 1\r\nx\r\nget a b\r\n",
            "OK\r\nSTORED\r\nVALUE a 0 1\r\nx\r\nEND\r\n"
        );
    }

    private async Task WorkAsync(int worker, long connections, SocketClient other)
    {
        var random = new Random(unchecked((LongRun.Seed * 31) + worker));
        var input = new DrawnInput(random);
        for (long i = 0; i < connections; i++)
        {
            byte[] bytes = input.Draw(CommandsEach);
            try
            {
                await PlayAsync(bytes, random).WaitAsync(LoopBed.TimeOut);
                if (worker == 0 && i % 50 == 0)
                {
                    await other.AskAsync("version\r\n", Version);
                }
            }
            catch (Exception error)
            {
                throw new InvalidOperationException(
                    $"Seed {LongRun.Seed}, worker {worker}, connection {i}: {error.Message}; "
                        + $"it had sent {Convert.ToHexString(bytes)}",
                    error
                );
            }
        }
    }

    private async Task PlayAsync(byte[] bytes, Random random)
    {
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        await socket.ConnectAsync(new UnixDomainSocketEndPoint(SocketPath));
        Task reading = ReadToEndAsync(socket);
        try
        {
            int cut = random.Next(3) == 0 ? random.Next(bytes.Length + 1) : bytes.Length;
            await SendAsync(socket, bytes.AsMemory(0, cut));
            await SendAsync(socket, bytes.AsMemory(cut));
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // The server had enough of it.
        }

        await reading;
    }

    private static async Task SendAsync(Socket socket, ReadOnlyMemory<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            bytes = bytes[await socket.SendAsync(bytes)..];
        }
    }

    private static async Task ReadToEndAsync(Socket socket)
    {
        byte[] buffer = new byte[16 << 10];
        try
        {
            while (await socket.ReceiveAsync(buffer) > 0)
            {
                // Nobody knows what is right; the other client's answers are.
            }
        }
        catch (SocketException)
        {
            // The end, too.
        }
    }
}
