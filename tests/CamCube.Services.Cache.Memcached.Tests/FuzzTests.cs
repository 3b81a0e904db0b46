using System.Text;
using CamCube.Services.Cache.Memcached.Text;

namespace CamCube.Services.Cache.Memcached.Tests;

public sealed class FuzzTests
{
    private static readonly string[] Pieces =
    [
        "get ",
        "gets ",
        "gat ",
        "gats ",
        "set ",
        "add ",
        "cas ",
        "append ",
        "incr ",
        "decr ",
        "delete ",
        "touch ",
        "flush_all ",
        "stats ",
        "version",
        "verbosity ",
        "a ",
        "b ",
        "noreply",
        "0 ",
        "1 ",
        "3 ",
        "-1 ",
        "99999 ",
        "mg ",
        "ms ",
        "md ",
        "ma ",
        "me ",
        "mn",
        "v ",
        "k ",
        "b ",
        "q ",
        "Oab ",
        "c ",
        "T5 ",
        "N5 ",
        "YWI= ",
        "MA ",
        "I ",
        "2147483645 ",
        "18446744073709551615 ",
        "\r\n",
        "\r\n",
        "\r\n",
        "\n",
        "abc\r\n",
        "x\r\n",
        "\0",
        " ",
        "\r",
    ];

    [Fact]
    public void Random_lines_never_throw()
    {
        var random = new Random(4711);
        var line = new byte[400];
        for (int i = 0; i < 200_000; i++)
        {
            Span<byte> part = line.AsSpan(0, random.Next(line.Length));
            random.NextBytes(part);
            foreach (ref byte letter in part)
            {
                letter = (letter & 3) == 0 ? (byte)' ' : letter;
            }

            Assert.InRange(TextParser.Parse(part).Key.Length, 0, part.Length);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Random_commands_are_answered_the_same_however_they_are_cut_and_whenever_the_cube_answers(int seed)
    {
        var random = new Random(seed);
        for (int round = 0; round < 300; round++)
        {
            var text = new StringBuilder();
            for (int i = random.Next(1, 60); i > 0; i--)
            {
                text.Append(Pieces[random.Next(Pieces.Length)]);
            }

            string request = text.ToString();

            string whole = await PlayAsync(request, [request], GateMode.Direct);
            List<string> cut = Cut(request, random);
            Assert.Equal(whole, await PlayAsync(request, cut, GateMode.Direct));
            Assert.Equal(whole, await PlayAsync(request, cut, GateMode.Pool));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Damaged_files_of_the_corpus_are_answered_the_same_however_they_are_cut(int seed)
    {
        var random = new Random(seed);
        foreach (string file in Corpus.Files)
        {
            string whole = Corpus.Read(file);
            for (int round = 0; round < 20; round++)
            {
                string request = round == 0 ? whole : Damage(whole, random);
                string expected = await PlayAsync(file, [request], GateMode.Direct);
                List<string> cut = Cut(request, random);
                Assert.Equal(expected, await PlayAsync(file, cut, GateMode.Direct));
                Assert.Equal(expected, await PlayAsync(file, cut, GateMode.Pool));
            }
        }
    }

    [Fact]
    public async Task Random_bytes_never_fail_a_connection()
    {
        var random = new Random(LongRun.Seed);
        for (int round = 0; round < 2000; round++)
        {
            var bytes = new byte[random.Next(1, 300)];
            random.NextBytes(bytes);

            // Behind a line that is whole they are the client's next, and do not take its answer away.
            string request = "version\r\n" + Encoding.Latin1.GetString(bytes);
            string answer = await PlayAsync($"seed {LongRun.Seed}, round {round}", [request], GateMode.Direct);
            Assert.StartsWith("VERSION ", answer, StringComparison.Ordinal);
        }
    }

    private static string Damage(string text, Random random)
    {
        char[] damaged = text.ToCharArray();
        for (int left = random.Next(1, 4); left > 0 && damaged.Length > 0; left--)
        {
            int at = random.Next(damaged.Length);
            damaged[at] = random.Next(3) switch
            {
                0 => (char)(damaged[at] ^ (1 << random.Next(8))),
                1 => (char)random.Next(256),
                _ => damaged[random.Next(damaged.Length)],
            };
        }

        return new string(damaged, 0, random.Next(4) == 0 ? random.Next(damaged.Length + 1) : damaged.Length);
    }

    private static List<string> Cut(string text, Random random)
    {
        var pieces = new List<string>();
        for (int start = 0; start < text.Length; )
        {
            int length = Math.Min(random.Next(1, 12), text.Length - start);
            pieces.Add(text.Substring(start, length));
            start += length;
        }

        return pieces;
    }

    private static async Task<string> PlayAsync(string name, IReadOnlyList<string> pieces, GateMode mode)
    {
        var cache = new FakeCache { CountsTokensByKey = true };
        cache.Statistics.Clear();
        var client = new MemoryClient(new FakeGate(cache) { Mode = mode });
        foreach (string piece in pieces)
        {
            await client.SendAsync(piece);
        }

        string reply = await client.FinishAsync();

        // Byte counts depend on when statistics are taken.
        Assert.True(client.Log.Errors.Any() is false, $"{name}: {string.Join("; ", client.Log.Errors)}");
        return string.Join(
            '\n',
            reply.Split('\n').Where(line => !line.StartsWith("STAT bytes_", StringComparison.Ordinal))
        );
    }
}
