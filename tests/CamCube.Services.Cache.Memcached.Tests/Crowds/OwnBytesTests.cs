using System.Diagnostics;
using System.Globalization;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Services.Cache.Memcached.Tests.Tls;

namespace CamCube.Services.Cache.Memcached.Tests.Crowds;

/// <summary>
/// Crowds in which every client looks at every byte: it only ever gets its own. A few seconds, or
/// <c>CAMCUBE_SOAK_SECONDS</c> each.
/// </summary>
public sealed class OwnBytesTests(ITestOutputHelper output) : IDisposable
{
    private const int Clients = 40,
        Rounds = 20;
    private readonly TestCertificates _certificates = new();

    public void Dispose() => _certificates.Dispose();

    [Theory]
    [InlineData(1, 2, false)]
    [InlineData(3, 1, false)]
    [InlineData(1, 1, true)]
    [InlineData(2, 1, true)]
    public async Task Clients_of_a_crowd_only_get_what_is_theirs(int loops, int servers, bool hasUsers)
    {
        MemcachedFrontEndOptions options = _certificates.ServerOptions();
        (options.MoreAddresses, options.CommandsPerTurn) = ("notls:127.0.0.1:0", 20);
        if (hasUsers)
        {
            options.AuthFile = _certificates.Write("users", "foo:bar\n");
        }

        var cache = new CacheOptions { MemoryLimit = 512L << 20 };
        await using var bed = new LoopBed(new TorusShape(servers, 1, 1), cache, options, loops);
        await bed.StartAsync();
        int plainPort = await PlainPortAsync(bed, hasUsers);
        var terms = new CrowdTerms(LongRun.Seed, Clients, plainPort, _certificates, hasUsers);
        output.WriteLine($"seed {terms.Seed}");

        long began = Stopwatch.GetTimestamp();
        using var over = new CancellationTokenSource();
        if (LongRun.Seconds > 0)
        {
            over.CancelAfter(TimeSpan.FromSeconds(LongRun.Seconds));
        }

        long rounds = LongRun.Seconds > 0 ? long.MaxValue : Rounds;
        List<Task> working =
        [
            .. Enumerable.Range(0, Clients).Select(i => new CrowdClient(bed, terms, i).RunAsync(rounds, over.Token)),
        ];
        while (working.Count > 0)
        {
            Task ended = await Task.WhenAny(working);
            working.Remove(ended);
            if (ended.Exception is { } error)
            {
                string seconds = Stopwatch
                    .GetElapsedTime(began)
                    .TotalSeconds.ToString("F1", CultureInfo.InvariantCulture);
                string found = $"After {seconds} s, seed {terms.Seed}: {error.InnerException!.Message}";
                output.WriteLine(found);
                await over.CancelAsync();
                Assert.Fail(found);
            }
        }

        // Nothing of them stays.
        using SocketClient last = await SocketClient.ConnectAsync(plainPort);
        while (bed.FrontEnd.ConnectionCount > 1)
        {
            await last.AskAsync(
                "version\r\n",
                hasUsers ? "CLIENT_ERROR unauthenticated\r\n" : "VERSION 1.6.18-camcube-0.1.0\r\n"
            );
        }
    }

    // The system has chosen it.
    private async Task<int> PlainPortAsync(LoopBed bed, bool hasUsers)
    {
        using SocketClient client = await SocketClient.ConnectTlsAsync(bed.FrontEnd.Port, _certificates.ClientTerms());
        if (hasUsers)
        {
            await client.AskAsync("set x 0 0 7\r\nfoo bar\r\n", "STORED\r\n");
        }

        await client.SendAsync("stats conns\r\n");
        string text = await client.ReceiveUntilAsync("END\r\n");
        const string Listens = ":addr tcp:127.0.0.1:";
        IEnumerable<int> ports = text.Split("\r\n")
            .Where(line => line.Contains(Listens, StringComparison.Ordinal))
            .Select(line => int.Parse(line[(line.LastIndexOf(':') + 1)..], CultureInfo.InvariantCulture));
        return ports.Single(port => port != bed.FrontEnd.Port && port != client.LocalPort);
    }
}
