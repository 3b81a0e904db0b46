using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace CamCube.Simulator.Engine;

/// <summary>
/// When something happens next at each server of a partition, and who is due. A minimum per 64 servers, so that a
/// window in which little happens costs little.
/// </summary>
internal sealed class NextEvents
{
    private const int GroupShift = 6;
    private const int GroupSize = 1 << GroupShift;

    // A group whose minimum is computed at the end of the window. Less than every time, so that lowering it leaves it.
    private const long Unknown = long.MinValue;
    private readonly long[] _next;
    private readonly long[] _group;
    private readonly int[] _due;

    /// <param name="servers">How many; they have numbers from 0.</param>
    public NextEvents(int servers)
    {
        _group = new long[(servers + GroupSize - 1) >> GroupShift];
        _next = new long[_group.Length << GroupShift];
        _due = new int[_next.Length];
        Array.Fill(_next, long.MaxValue);
        Array.Fill(_group, long.MaxValue);
    }

    /// <summary>Time of the next event of any server.</summary>
    public long Least()
    {
        long least = long.MaxValue;
        for (int g = 0; g < _group.Length; g++)
        {
            if (_group[g] == Unknown)
            {
                _group[g] = LeastOf(_next.AsSpan(g << GroupShift, GroupSize));
            }

            least = Math.Min(least, _group[g]);
        }

        return least;
    }

    /// <summary>A server that was due has had its events: this is its next.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Set(int server, long time) => _next[server] = time;

    /// <summary>Something happens at a server at this time, if nothing earlier does.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Lower(int server, long time)
    {
        ref long next = ref _next[server];
        if (time < next)
        {
            next = time;
            ref long group = ref _group[server >> GroupShift];
            group = Math.Min(group, time);
        }
    }

    /// <summary>Nothing happens at a server any more.</summary>
    public void Forget(int server) => _next[server] = long.MaxValue;

    /// <summary>The servers that have an event before a time, in order. Each has to be <see cref="Set"/> before the
    /// next call of <see cref="Least"/>.</summary>
    public ReadOnlySpan<int> TakeDue(long end)
    {
        int n = 0;
        int[] due = _due;
        for (int g = 0; g < _group.Length; g++)
        {
            if (_group[g] >= end)
            {
                continue;
            }

            // Computed again at the end of the window from all servers of the group.
            _group[g] = Unknown;
            int first = g << GroupShift;
            for (ulong at = DueIn(_next.AsSpan(first, GroupSize), end); at != 0; at &= at - 1)
            {
                due[n++] = first + BitOperations.TrailingZeroCount(at);
            }
        }

        return due.AsSpan(0, n);
    }

    /// <summary>Bit i: time i is before the end. Eight are looked at at once.</summary>
    private static ulong DueIn(Span<long> times, long end)
    {
        ref long first = ref MemoryMarshal.GetReference(times);
        Vector512<long> limit = Vector512.Create(end);
        ulong due = 0;
        for (int i = 0; i < GroupSize; i += 8)
        {
            due |=
                Vector512.LessThan(Vector512.LoadUnsafe(ref first, (nuint)i), limit).ExtractMostSignificantBits() << i;
        }

        return due;
    }

    private static long LeastOf(Span<long> times)
    {
        ref long first = ref MemoryMarshal.GetReference(times);
        Vector512<long> least = Vector512.Create(long.MaxValue);
        for (int i = 0; i < GroupSize; i += 8)
        {
            least = Vector512.Min(least, Vector512.LoadUnsafe(ref first, (nuint)i));
        }

        Vector256<long> half = Vector256.Min(least.GetLower(), least.GetUpper());
        Vector128<long> quarter = Vector128.Min(half.GetLower(), half.GetUpper());
        return Math.Min(quarter[0], quarter[1]);
    }
}
