using CamCube.Services.KeyValue;
using CamCube.Simulator.Disks;

namespace CamCube.Experiments.KeyValues;

/// <summary>Puts values through one server, one after the other, each under a key of its own or again under the same.
/// Loop only.</summary>
internal sealed class ValueClient(ValueCube cube, int rank, string name, int length, int keys)
{
    private const ulong Step = 0x9E3779B97F4A7C15;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);
    private readonly byte[] _part = new byte[Math.Min(length, 256 << 10)];
    private bool _isStopped;

    /// <summary>The server.</summary>
    public int Rank => rank;

    /// <summary>The keys, one after the other; null: numbers behind the name.</summary>
    public IReadOnlyList<string>? Names { get; init; }

    /// <summary>Time from the beginning of a put to that of the next; 0: one follows at once on the other.</summary>
    public TimeSpan Every { get; init; }

    /// <summary>A value that was refused is left for the next one; else it is put again until it is there.</summary>
    public bool MovesOn { get; init; }

    /// <summary>Values that were put.</summary>
    public long Count { get; private set; }

    /// <summary>Answers other than Done.</summary>
    public long Failed { get; private set; }

    /// <summary>When each answer came that said Done, and how long that took.</summary>
    public List<(long At, long Took)> Done { get; } = [];

    /// <summary>The longest time without an answer that said Done, from a time on.</summary>
    public long LongestGap(long from, long until)
    {
        long gap = 0,
            last = from;
        foreach ((long at, _) in Done)
        {
            if (at > from && at <= until)
            {
                (gap, last) = (Math.Max(gap, at - last), at);
            }
        }

        return Math.Max(gap, until - last);
    }

    /// <summary>Begins.</summary>
    /// <param name="most">Values after which it ends; 0: none.</param>
    public void Start(long most = 0) => cube.ServerOf(rank).Loop.Run(() => RunAsync(most));

    /// <summary>Ends with the value that it is at.</summary>
    public void Stop() => _isStopped = true;

    private async ValueTask RunAsync(long most)
    {
        IServer server = cube.ServerOf(rank);
        IKeyValueStore store = cube.StoreOf(rank);
        while (!_isStopped && cube.Runs(rank) && (most == 0 || Count < most))
        {
            long began = cube.NowNanos;
            long key = (MovesOn ? Count + Failed : Count) % keys;
            KeyValueAnswer answer = await PutAsync(store, KeyValueKey.Of(Names?[(int)key] ?? $"{name}-{key}"));
            if (answer.Status == KeyValueStatus.Done)
            {
                Count++;
                Done.Add((cube.NowNanos, cube.NowNanos - began));
                long restNanos = began + (Every.Ticks * 100) - cube.NowNanos;
                if (restNanos > 0 && !await server.DelayAsync(TimeSpan.FromMicroseconds(restNanos / 1_000)))
                {
                    return;
                }

                continue;
            }

            Failed++;
            if (!await server.DelayAsync(Pause))
            {
                // The server is stopped.
                return;
            }
        }
    }

    private async ValueTask<KeyValueAnswer> PutAsync(IKeyValueStore store, KeyValueKey key)
    {
        ulong first = ((ulong)rank << 48) + ((ulong)Count << 24);
        if (length <= _part.Length)
        {
            CountedBytes.Fill(_part, 0, first, Step);
            return await store.PutAsync(key, _part);
        }

        using IKeyValueWriter writer = store.OpenWrite(key);
        for (int at = 0; at < length; at += _part.Length)
        {
            Memory<byte> part = _part.AsMemory(0, Math.Min(_part.Length, length - at));
            CountedBytes.Fill(part.Span, at, first, Step);
            KeyValueStatus status = await writer.WriteAsync(part);
            if (status != KeyValueStatus.Done)
            {
                return new KeyValueAnswer(status);
            }
        }

        return await writer.CommitAsync();
    }
}
