using System.Diagnostics;
using System.Globalization;
using CamCube.Benchmarks.Memcached;
using CamCube.Runtime.Services;
using CamCube.Services.Cache;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Benchmarks;

/// <summary>
/// What items cost: fills the store of one server in this process and a memcached with the same items, prints resident
/// bytes per item of both, the collections of generation 2, how far the resident memory grows at a limit of 1 GiB, and
/// the time of a get and a set.
/// </summary>
internal static class CacheMemoryRun
{
    private const long Limit = 1L << 30;

    public static int Run(string[] args)
    {
        int items = Option(args, "--items", 5_000_000),
            length = Option(args, "--value", 100);
        LiveCubes.PrintMachine();
        long room = Math.Max(Limit, 2L * items * (length + 100));
        long keys = items * (long)KeyOf(0).Length;
        double Overhead(long bytes) => (bytes - keys - ((double)items * length)) / items;
        Console.WriteLine(
            $"{items} items of {length} bytes, keys of {KeyOf(0).Length}; bytes of an item beside key and value"
        );

        (long growth, int gen2) = Fill(items, length, room, evicts: false);
        Console.WriteLine($"camcube    {growth >> 20, 6} MiB  {Overhead(growth), 6:F1}  gen 2 collections {gen2}");
        if (MemcachedPeer.TryStart(room, out MemcachedPeer? peer))
        {
            using (peer)
            {
                long before = peer.ResidentBytes;
                peer.Fill(items, length, KeyOf);
                long peers = peer.ResidentBytes - before;
                Console.WriteLine($"memcached  {peers >> 20, 6} MiB  {Overhead(peers), 6:F1}  items {peer.Items}");
            }
        }
        else
        {
            Console.WriteLine("memcached is not installed (tools/install-test-dependencies)");
        }

        int enough = (int)(Limit / (length + 60) * 3 / 2);
        (growth, gen2) = Fill(enough, length, Limit, evicts: true);
        Console.WriteLine(
            $"full at 1 GiB: grew by {(double)growth / Limit:P1} of it, from empty and warmed up, "
                + $"gen 2 collections {gen2}"
        );
        Time();
        LoadedRun.Run();
        return 0;
    }

    private static (long Growth, int Gen2) Fill(int items, int length, long limit, bool evicts)
    {
        using SimulatedCube cube = Make(limit);
        CacheService cache = cube.Service<CacheService>(0);
        byte[] value = new byte[length];
        for (int i = 0; i < 1_000; i++)
        {
            Set(cache, "warm"u8, value);
        }

        GC.Collect();
        long before = Resident();
        int gen2 = GC.CollectionCount(2);
        Span<byte> key = stackalloc byte[32];
        for (int i = 0; i < items; i++)
        {
            // Without garbage: the collector's budget would be counted as the items'.
            "key-"u8.CopyTo(key);
            i.TryFormat(key[4..], out _, "D8", CultureInfo.InvariantCulture);
            Set(cache, key[..KeyLength], value);
        }

        long growth = Resident() - before;
        bool evicted = cache.GetStoreNumbers().Classes.Sum(c => c.Evicted) > 0;
        if (evicted != evicts)
        {
            throw new InvalidOperationException(evicts ? "nothing was evicted" : "items were evicted");
        }

        return (growth, GC.CollectionCount(2) - gen2);
    }

    private static void Time()
    {
        const int Items = 100_000,
            Rounds = 20;
        using SimulatedCube cube = Make(Limit);
        CacheService cache = cube.Service<CacheService>(0);
        byte[] value = new byte[512];
        byte[][] keys = [.. Enumerable.Range(0, Items).Select(i => KeyOf(i).ToArray())];
        var reader = new Length();
        var get = new CacheTerms { Operation = CacheOperation.Get };
        double sets = double.MaxValue,
            gets = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            long start = Stopwatch.GetTimestamp();
            foreach (byte[] key in keys)
            {
                Set(cache, key, value);
            }

            sets = Math.Min(sets, Stopwatch.GetElapsedTime(start).TotalNanoseconds / Items);
            start = Stopwatch.GetTimestamp();
            foreach (byte[] key in keys)
            {
                cache.TryExecute(get, key, default, reader, out _);
            }

            gets = Math.Min(gets, Stopwatch.GetElapsedTime(start).TotalNanoseconds / Items);
        }

        if (reader.Bytes != (long)Items * Rounds * value.Length)
        {
            throw new InvalidOperationException("a get missed");
        }

        Console.WriteLine(
            $"512 bytes, {Items} keys in turn, best of {Rounds} rounds: get {gets:F0} ns, set {sets:F0} ns"
        );
    }

    private const int KeyLength = 12;

    private static ReadOnlySpan<byte> KeyOf(int number) =>
        System.Text.Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"key-{number:D8}"));

    private static void Set(CacheService cache, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        var terms = new CacheTerms { Operation = CacheOperation.Set };
        if (!cache.TryExecute(terms, key, value, null, out CacheReply reply) || reply.Status != CacheStatus.Done)
        {
            throw new InvalidOperationException($"set: {reply.Status}");
        }
    }

    private static SimulatedCube Make(long limit)
    {
        var options = new CacheOptions { MemoryLimit = limit };
        var cube = new SimulatedCube(
            new TorusShape(1, 1, 1),
            [ServiceDefinition.Of(a => new CacheService(a.Server, options))],
            new SimulatorOptions()
        );
        cube.Advance(TimeSpan.FromMilliseconds(10));
        return cube;
    }

    private static long Resident()
    {
        using Process self = Process.GetCurrentProcess();
        return self.WorkingSet64;
    }

    private static int Option(string[] args, string name, int otherwise)
    {
        int at = Array.IndexOf(args, name);
        return at < 0 ? otherwise : int.Parse(args[at + 1], CultureInfo.InvariantCulture);
    }

    private sealed class Length : ICacheValueReader
    {
        public long Bytes { get; private set; }

        public void TakeValue(in CacheReply reply, ReadOnlySpan<byte> piece, int offset) => Bytes += piece.Length;
    }
}
