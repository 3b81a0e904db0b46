using System.Diagnostics;
using System.Globalization;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.KeyValue;
using CamCube.Simulator;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Settings;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>
/// How long the loop of a server of the key-value store stands still at a time while its log is compacted: values are
/// put at a steady rate over others, and, for comparison, each under a key of its own, where nothing is compacted. In
/// virtual time, so that each step is the same in every round, and what is told of it is the least of all rounds:
/// collections and other programs are not in it. What a step of the simulated disk takes is.
/// </summary>
internal static class PausesRun
{
    private const int StepNanos = 5_000;
    private const int SegmentBytes = 16 << 20;
    private const int LiveBytes = 48 << 20;
    private const int RateBytes = 100 << 20;
    private const int Steps = 400_000;
    private const int MostRounds = 1_000;

    // In KiB; what is longer lies in pieces, which stay a while.
    private const int Longest = 64;
    private static readonly List<int> Standard = [1 << 10, 8 << 10, 64 << 10];

    public static int Run(string[] args)
    {
        const string Rounds = "rounds=";
        int rounds = 3;
        List<int> lengths = [];
        foreach (string word in args)
        {
            string digits = word.StartsWith(Rounds, StringComparison.Ordinal) ? word[Rounds.Length..] : word;
            if (
                !int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
                || number == 0
                || number > (digits == word ? Longest : MostRounds)
            )
            {
                Console.Error.WriteLine(
                    $"usage: kv-pauses [rounds=1..{MostRounds}] [KiB of a value, 1 to {Longest} ...]"
                );
                return 2;
            }

            if (digits == word)
            {
                lengths.Add(number << 10);
            }
            else
            {
                rounds = number;
            }
        }

        LiveCubes.PrintMachine();
        Console.WriteLine(
            $"{LiveBytes >> 20} MiB of values in segments of {SegmentBytes >> 20} MiB, {RateBytes >> 20} MiB/s for "
                + $"{Steps * (StepNanos / 1e9):F0} s, least of {rounds} rounds"
        );
        foreach (int length in lengths.Count > 0 ? lengths : Standard)
        {
            foreach (bool overwrites in new[] { false, true })
            {
                long[]? least = null;
                long compacted = 0;
                for (int round = 0; round < rounds; round++)
                {
                    (long[] took, compacted) = Measure(length, overwrites);
                    least = least is null ? took : [.. least.Zip(took, Math.Min)];
                }

                Array.Sort(least!);
                Console.WriteLine(
                    $"{length >> 10, 5} KiB {(overwrites ? "over others" : "new keys   ")} longest "
                        + string.Join(", ", least!.Reverse().Take(4).Select(Millis))
                        + $" ms; 1 of 10,000 {Millis(least![^(Steps / 10_000)])} ms; all {least!.Sum() / 1e9:F2} s; "
                        + $"{compacted} segments compacted"
                );
            }
        }

        return 0;
    }

    private static string Millis(long nanos) => (nanos / 1e6).ToString("F2", CultureInfo.InvariantCulture);

    private static (long[] Nanos, long Compacted) Measure(int length, bool overwrites)
    {
        var disk = new SimulatedDiskOptions { CapacityBytes = 1L << 40 };
        var options = new KeyValueOptions { Replicas = 1, SegmentBytes = SegmentBytes };
        using var cube = new SimulatedCube(
            new TorusShape(1, 1, 1),
            [ServiceDefinition.Of(activation => new KeyValueService(activation.Server, options))],
            new SimulatorOptions
            {
                Seed = 1,
                IsTracing = false,
                Disk = disk,
            },
            new ServerOptions()
        );
        var load = new Load(cube, length, overwrites);
        while (!load.TryStart())
        {
            cube.AdvanceTo(cube.NowNanos + 1_000_000);
        }

        // All of it twice: then there is as much garbage as there ever is.
        while (load.Bytes < 2 * LiveBytes)
        {
            cube.AdvanceTo(cube.NowNanos + 1_000_000);
        }

        var service = cube.Service<KeyValueService>(0);
        long before = service.Host.Log!.Counts.Compacted,
            began = cube.NowNanos;
        long[] took = new long[Steps];
        for (int step = 0; step < Steps; step++)
        {
            long at = Stopwatch.GetTimestamp();
            cube.AdvanceTo(began + ((step + 1L) * StepNanos));
            took[step] = (long)Stopwatch.GetElapsedTime(at).TotalNanoseconds;
        }

        return (took, service.Host.Log!.Counts.Compacted - before);
    }

    // Clients in the server's loop, together at the rate.
    private sealed class Load(SimulatedCube cube, int length, bool overwrites)
    {
        private const int Clients = 16;
        private readonly IServer _server = cube.ServerOf<KeyValueService>(0);
        private readonly byte[] _value = Value(length);
        private readonly int _keys = LiveBytes / Clients / length;

        public long Bytes { get; private set; }

        public bool TryStart()
        {
            IKeyValueStore store = cube.Service<KeyValueService>(0);
            if (store.ListGroups() is not { Count: > 0 } groups || groups.Any(static g => g.Leader is null))
            {
                return false;
            }

            for (int client = 0; client < Clients; client++)
            {
                int number = client;
                _server.Loop.Run(() => RunAsync(store, number));
            }

            return true;
        }

        private static byte[] Value(int length)
        {
            byte[] value = new byte[length];
            new Random(1).NextBytes(value);
            return value;
        }

        private async ValueTask RunAsync(IKeyValueStore store, int client)
        {
            var random = new Random(client);
            long every = (long)length * Clients * 1_000_000_000 / RateBytes,
                next = _server.NowNanos;
            for (int count = 0; ; count++)
            {
                int key = overwrites && count >= _keys ? random.Next(_keys) : count;
                KeyValueAnswer answer = await store.PutAsync(KeyValueKey.Of($"{client}-{key}"), _value);
                if (answer.Status != KeyValueStatus.Done)
                {
                    throw new InvalidOperationException($"a put ended as {answer.Status}");
                }

                Bytes += length;
                next = Math.Max(next + every, _server.NowNanos);
                await _server.DelayAsync(TimeSpan.FromMicroseconds((next - _server.NowNanos) / 1_000));
            }
        }
    }
}
