using System.Collections.Concurrent;
using System.Diagnostics;
using CamCube.Experiments.Images;

namespace CamCube.Benchmarks.Images;

/// <summary>How long other clients' requests take while hostile pictures come, beside the same without, beside ordinary
/// pictures of 1.47 MB, and beside programs that only turn in a loop, as many and as nice as workers are. And what took
/// the processors meanwhile.</summary>
internal static class HostilePart
{
    private const int Clients = 4;
    private const int Hostile = 2;
    private const int Pictures = 32;
    private const int Good = 12;
    private const int SmallBytes = 100_000;

    // The default of workers.
    private const string WorkersNicer = "10";
    private static readonly TimeSpan Time = TimeSpan.FromSeconds(6);

    public static async Task RunAsync(ImageHost host, int rounds)
    {
        byte[] picture = MadePictures.Make(7, SmallBytes);
        for (int i = 0; i < Pictures; i++)
        {
            await host.StoreAsync(i % 3, $"small {i}", picture);
        }

        // Different ones: what is there already is not stored again.
        byte[][] good = [.. Enumerable.Range(3, Good).Select(static n => MadePictures.Make(n, MadePictures.MeanBytes))];
        byte[][] hostile = HostilePictures.Make(good[0]);
        await OneAsync(host, picture, [], TimeSpan.FromSeconds(2));
        ConcurrentDictionary<int, int> statuses = [];
        Rounds gets = new(),
            puts = new(),
            loads = new();
        for (int round = 0; round < rounds; round++)
        {
            foreach (
                (string name, byte[][] bad, int burners) in new[]
                {
                    ("without", (byte[][])[], 0),
                    ("with", hostile, 0),
                    ("with good ones", good, 0),
                    ("with burners", [], Environment.ProcessorCount),
                }
            )
            {
                List<OwnProcess> burning = [.. Enumerable.Range(0, burners).Select(static _ => Burn())];
                (double own, double workers) = host.CpuSeconds;
                long began = Stopwatch.GetTimestamp();
                (double get, double put) = await OneAsync(host, picture, bad, Time, bad == hostile ? statuses : null);
                double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
                burning.ForEach(static one => one.Dispose());
                gets.Add($"p99 of gets, {name}", get);
                puts.Add($"p99 of puts of 100 kB, {name}", put);
                loads.Add($"the host, {name}", (host.CpuSeconds.Own - own) / seconds * 100);
                loads.Add($"its workers, {name}", (host.CpuSeconds.Workers - workers) / seconds * 100);
            }
        }

        gets.Print("ms");
        puts.Print("ms");
        loads.Print("% of a core");
        gets.Ratio("p99 of gets, with / without hostile pictures", "p99 of gets, with", "p99 of gets, without", "<= 2");
        puts.Ratio(
            "p99 of puts, with / without hostile pictures",
            "p99 of puts of 100 kB, with",
            "p99 of puts of 100 kB, without",
            "<= 2"
        );
        gets.Ratio("p99 of gets, with / with good pictures", "p99 of gets, with", "p99 of gets, with good ones", "-");
        gets.Ratio("p99 of gets, with burners / without", "p99 of gets, with burners", "p99 of gets, without", "-");
        Console.WriteLine(
            "hostile pictures: "
                + string.Join(", ", statuses.OrderBy(static s => s.Key).Select(static s => $"{s.Value} x {s.Key}"))
        );
    }

    private static OwnProcess Burn() => OwnProcess.Start("nice", "-n", WorkersNicer, "sh", "-c", "while :; do :; done");

    private static async Task<(double Get, double Put)> OneAsync(
        ImageHost host,
        byte[] picture,
        byte[][] hostile,
        TimeSpan time,
        ConcurrentDictionary<int, int>? statuses = null
    )
    {
        ConcurrentBag<double> gets = [],
            puts = [];
        long began = Stopwatch.GetTimestamp();
        bool goesOn() => Stopwatch.GetElapsedTime(began) < time;
        async Task Client(int client)
        {
            for (int i = 0; goesOn(); i++)
            {
                long at = Stopwatch.GetTimestamp();
                if (i % 8 == 7)
                {
                    await host.StoreAsync(client % 3, $"small {i % Pictures} {client}", picture);
                    puts.Add(Stopwatch.GetElapsedTime(at).TotalMilliseconds);
                    continue;
                }

                string part = i % 4 == 3 ? "" : "/thumb";
                await host.Http.GetByteArrayAsync(host.UrlOf(i % 3, $"small {i * 7 % Pictures}{part}"));
                gets.Add(Stopwatch.GetElapsedTime(at).TotalMilliseconds);
            }
        }

        async Task Attacker(int client)
        {
            for (int i = client; goesOn(); i++)
            {
                int status = await host.PutAsync(i % 3, $"hostile {client}", hostile[i % hostile.Length]);
                statuses?.AddOrUpdate(status, 1, static (_, count) => count + 1);
            }
        }

        await Task.WhenAll(
            Enumerable
                .Range(0, Clients)
                .Select(Client)
                .Concat(Enumerable.Range(0, hostile.Length > 0 ? Hostile : 0).Select(Attacker))
        );
        return (P99(gets), P99(puts));
    }

    private static double P99(ConcurrentBag<double> times)
    {
        double[] sorted = [.. times.Order()];
        return sorted[sorted.Length * 99 / 100];
    }
}
