using System.Diagnostics;
using System.Globalization;

namespace CamCube.Benchmarks.Images;

/// <summary>What servers, and the machine, did in a while.</summary>
internal sealed class CpuWindow
{
    private readonly List<double> _samples = [];
    private double[] _servers = [];
    private double _seconds;
    private double _workers;
    private double _clients;
    private double _machine;
    private long _requests;
    private long _bytes;

    private CpuWindow() { }

    /// <summary>Answered requests per second.</summary>
    public double Rate => _requests / _seconds;

    /// <summary>The most that a server took in a second, in per cent of a core.</summary>
    public double Most => _samples.Max();

    /// <summary>Looks on for a while.</summary>
    /// <param name="processes">The servers'; their children, the workers, are theirs, too.</param>
    /// <param name="done">Requests and bytes so far.</param>
    /// <param name="time">How long.</param>
    /// <param name="cancel">Ends it.</param>
    public static async Task<CpuWindow> OfAsync(
        IReadOnlyList<int> processes,
        Func<(long Requests, long Bytes)> done,
        TimeSpan time,
        CancellationToken cancel
    )
    {
        TimeSpan sample = TimeSpan.FromSeconds(1);
        var window = new CpuWindow();
        IReadOnlyList<(double Own, double Children)> first = ProcessTreeTime.OfTrees(processes),
            last = first;
        (long busy, long all) = Machine();
        (long requests, long bytes) = done();
        using var self = Process.GetCurrentProcess();
        TimeSpan clients = self.TotalProcessorTime;
        long began = Stopwatch.GetTimestamp(),
            before = began;
        while (Stopwatch.GetElapsedTime(began) < time)
        {
            await Task.Delay(sample, cancel);
            IReadOnlyList<(double Own, double Children)> next = ProcessTreeTime.OfTrees(processes);
            double seconds = Stopwatch.GetElapsedTime(before).TotalSeconds;
            before = Stopwatch.GetTimestamp();
            window._samples.AddRange(
                next.Zip(last, (b, a) => (b.Own + b.Children - a.Own - a.Children) / seconds * 100)
            );
            last = next;
        }

        window._seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        self.Refresh();
        (long busyAfter, long allAfter) = Machine();
        (window._requests, window._bytes) = (done().Requests - requests, done().Bytes - bytes);
        window._servers = [.. last.Zip(first, static (b, a) => b.Own + b.Children - a.Own - a.Children)];
        window._workers = last.Zip(first, static (b, a) => b.Children - a.Children).Sum();
        window._clients = (self.TotalProcessorTime - clients).TotalSeconds;
        window._machine = 100.0 * (busyAfter - busy) / (allAfter - all);
        return window;
    }

    /// <summary>What the columns of a row are.</summary>
    public static void PrintHeader(string what)
    {
        string server = $"{"median", 9}{"p95", 6}{"most", 6}";
        Console.WriteLine();
        Console.WriteLine($"{what}: % of a core of each; % of all cores of all; CPU ms a picture of all, and of each");
        Console.WriteLine(
            $"{"load", -10}{"clients", 7}{"per s", 8}{"MB/s", 7}{server}{"servers", 10}{"(workers)", 10}{"clients", 8}"
                + $"{"all", 6}{"all", 6}{"median", 18}{"p95", 6}{"most", 6}"
        );
    }

    /// <summary>Prints a row.</summary>
    public void Print(string load, int clients)
    {
        double cores = _seconds * Environment.ProcessorCount / 100,
            picture = _servers.Length * 1e3 / Math.Max(_requests, 1);
        double[] percents = [.. _samples.Order()],
            servers = [.. _servers.Order()];
        string own =
            _requests == 0
                ? ""
                : string.Create(
                    CultureInfo.InvariantCulture,
                    $"{_servers.Sum() * 1e3 / _requests, 6:0.0}{At(servers, 0.5) * picture, 18:0.0}"
                        + $"{At(servers, 0.95) * picture, 6:0.0}{servers[^1] * picture, 6:0.0}"
                );
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{load, -10}{clients, 7}{Rate, 8:0.0}{_bytes / _seconds / 1e6, 7:0.0}{At(percents, 0.5), 9:0.0}"
                    + $"{At(percents, 0.95), 6:0.0}{Most, 6:0.0}{_servers.Sum() / cores, 10:0.0}"
                    + $"{Math.Max(_workers, 0) / cores, 10:0.0}{_clients / cores, 8:0.0}{_machine, 6:0.0}{own}"
            )
        );
    }

    private static double At(double[] sorted, double share) => sorted[(int)Math.Ceiling(share * sorted.Length) - 1];

    // Of all processors: ticks that they did something, and all of them.
    private static (long Busy, long All) Machine()
    {
        const int Idle = 3,
            Waiting = 4,
            Kinds = 8;
        long[] ticks =
        [
            .. File.ReadLines("/proc/stat")
                .First()
                .Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .Skip(1)
                .Take(Kinds)
                .Select(static one => long.Parse(one, CultureInfo.InvariantCulture)),
        ];
        return (ticks.Sum() - ticks[Idle] - ticks[Waiting], ticks.Sum());
    }
}
