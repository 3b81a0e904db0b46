using System.Text;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>Clients in servers' loops over real sockets: whatever some send, and however it is cut, the others lose
/// nothing.</summary>
public abstract class LoopChaos : IAsyncLifetime
{
    private const int Vandals = 80;

    // Stands for a byte of a token that nobody knows before.
    private const char Any = '\u0100';

    private readonly LoopBed _bed;

    // Few commands in a turn: many turns end in the middle of a client's input.
    private protected LoopChaos(TorusShape shape, int parts) =>
        _bed = new LoopBed(
            shape,
            new CacheOptions(),
            new MemcachedFrontEndOptions { AllowFlushAll = false, CommandsPerTurn = 7 },
            parts
        );

    public ValueTask InitializeAsync() => _bed.StartAsync();

    public ValueTask DisposeAsync() => _bed.DisposeAsync();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public async Task Others_get_every_answer_while_vandals_send_anything_in_any_pieces(int seed)
    {
        using var over = new CancellationTokenSource();
        Task<int>[] others =
        [
            WitnessAsync(seed, TextExchange, over.Token),
            WitnessAsync(seed, MetaExchange, over.Token),
            WitnessAsync(seed, BinaryExchange, over.Token),
        ];
        Task[] vandals =
        [
            .. Enumerable.Range(0, Vandals).Select(i => new Vandal((seed * 1_000) + i).RunAsync(_bed.FrontEnd.Port)),
        ];
        await Task.WhenAll(vandals).WaitAsync(LoopBed.TimeOut);
        await over.CancelAsync();
        Assert.All(await Task.WhenAll(others).WaitAsync(LoopBed.TimeOut), rounds => Assert.True(rounds > 0));

        // Nothing of them stays: the last are noticed in turns that another client has to cause, or not at all.
        using SocketClient last = await _bed.ConnectAsync();
        while (_bed.FrontEnd.ConnectionCount > 1)
        {
            await last.AskAsync("version\r\n", "VERSION 1.6.18-camcube-0.1.0\r\n");
        }
    }

    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(13)]
    public async Task Replies_are_the_same_wherever_requests_are_cut(int seed)
    {
        var random = new Random(seed);
        using SocketClient client = await _bed.ConnectAsync();
        foreach ((string name, string request, string reply) in Transcripts.All)
        {
            if (
                name is "quit" or "HTTP" or "half a command" or "line ends" or "cas"
                || request.Contains("flush_all", StringComparison.Ordinal)
            )
            {
                continue;
            }

            string clean = string.Concat(Keys(request).Select(key => $"delete {key} noreply\r\n"));
            await SendInPiecesAsync(client, request + clean, random);
            await client.ExpectAsync(reply);
        }
    }

    // What the transcripts store: single letters, and the longest key.
    private static IEnumerable<string> Keys(string request) =>
        request
            .Split(' ', '\r', '\n')
            .Where(word => word.Length == 1 && char.IsAsciiLetter(word[0]))
            .Append(new string('k', 250))
            .Distinct();

    private static (string Request, string Reply) TextExchange(string key, string value, int flags) =>
        (
            $"set {key} {flags} 0 {value.Length}\r\n{value}\r\nget {key} {key}\r\nincr {key} 1\r\ndelete "
                + $"{key}\r\nget {key}\r\n",
            $"STORED\r\nVALUE {key} {flags} {value.Length}\r\n{value}\r\nVALUE {key} {flags} "
                + $"{value.Length}\r\n{value}\r\nEND\r\n"
                + "CLIENT_ERROR cannot increment or decrement non-numeric value\r\nDELETED\r\nEND\r\n"
        );

    private static (string Request, string Reply) MetaExchange(string key, string value, int flags) =>
        (
            $"ms {key} {value.Length} F{flags} T100\r\n{value}\r\nmg {key} v f k\r\nmg {key}-none v q\r\nmd "
                + $"{key}\r\nmn\r\n",
            $"HD\r\nVA {value.Length} f{flags} k{key}\r\n{value}\r\nHD\r\nMN\r\n"
        );

    private static (string Request, string Reply) BinaryExchange(string key, string value, int flags)
    {
        string extras = BinaryFrame.Number32((uint)flags);
        string request =
            new BinaryFrame
            {
                Opcode = 0x11,
                Key = key,
                Extras = extras + BinaryFrame.Number32(0),
                Value = value,
            }.ToRequest()
            + new BinaryFrame { Opcode = 0x00, Key = key }.ToRequest()
            + new BinaryFrame { Opcode = 0x14, Key = key + "-none" }.ToRequest()
            + new BinaryFrame { Opcode = 0x04, Key = key }.ToRequest()
            + new BinaryFrame { Opcode = 0x0d, Key = key }.ToRequest()
            + new BinaryFrame { Opcode = 0x0a }.ToRequest();
        string found = AnswerOf(new BinaryFrame { Extras = extras, Value = value }, status: 0),
            token = new(Any, sizeof(ulong));
        string reply =
            found[..16]
            + token
            + found[24..]
            + AnswerOf(new BinaryFrame { Opcode = 0x14, Value = "Not found" }, status: 1)
            + AnswerOf(new BinaryFrame { Opcode = 0x04 }, status: 0)
            + AnswerOf(new BinaryFrame { Opcode = 0x0a }, status: 0);
        return (request, reply);
    }

    private static string AnswerOf(BinaryFrame frame, ushort status)
    {
        string request = frame.ToRequest();
        return "\u0081" + request[1..6] + (char)(status >> 8) + (char)(status & 255) + request[8..];
    }

    private static async Task SendInPiecesAsync(SocketClient client, string text, Random random)
    {
        int most = random.Next(3) switch
        {
            0 => 5,
            1 => 300,
            _ => 100_000,
        };
        for (int start = 0; start < text.Length; )
        {
            int length = Math.Min(random.Next(1, most + 1), text.Length - start);
            await client.SendAsync(text.Substring(start, length));
            start += length;
        }
    }

    // A client as it should be: every answer is compared.
    private async Task<int> WitnessAsync(
        int seed,
        Func<string, string, int, (string Request, string Reply)> exchange,
        CancellationToken over
    )
    {
        var random = new Random(seed);
        using SocketClient client = await _bed.ConnectAsync();
        int rounds = 0;
        do
        {
            int length = random.Next(8) == 0 ? random.Next(100_000) : random.Next(400);
            string key = $"{exchange.Method.Name}-{rounds}",
                value = $"x{new string((char)('a' + (rounds % 26)), length)}";
            (string request, string reply) = exchange(key, value, random.Next(1_000));
            await SendInPiecesAsync(client, request, random);
            string actual = await client.ReceiveAsync(reply.Length);
            Assert.Equal(reply, string.Concat(actual.Select((letter, i) => reply[i] == Any ? Any : letter)));
            rounds++;
        } while (!over.IsCancellationRequested);
        return rounds;
    }
}
