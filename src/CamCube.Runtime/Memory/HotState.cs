using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace CamCube.Runtime.Memory;

/// <summary>
/// What an event touches of one server, dense: 320 bytes, five cache lines. Link state is data, so that nobody calls to
/// ask for it: "idle and wanted" and "what is next" are vector compares.
/// </summary>
[StructLayout(LayoutKind.Sequential, Size = 320)]
internal struct HotState
{
    /// <summary>Lane of <see cref="When"/> for the earliest timer.</summary>
    public const int TimerLane = 6;

    /// <summary>Lane of <see cref="When"/> for deferred work: local packets, continuations.</summary>
    public const int DeferredLane = 7;

    /// <summary>Priority classes of queues.</summary>
    public const int QueueClasses = 8;

    /// <summary>First of the six lanes of links that are free while something waits, in the mask of
    /// <see cref="NextBefore"/>.</summary>
    public const int FreeLane = 8;

    /// <summary>Simulator: next arrival per in-link; then timer and deferred work. long.MaxValue = none.</summary>
    public Long8 When;

    /// <summary>Per out-link: time from which it takes a packet. Lanes 6 and 7: never.</summary>
    public Long8 Busy;

    /// <summary>Per out-link: slots with something to send.</summary>
    public Ready6 Ready;

    /// <summary>Trace hash of this server.</summary>
    public ulong Hash;

    /// <summary>Out-links with Ready != 0.</summary>
    public byte Wait;

    /// <summary>Out-links that are up.</summary>
    public byte Up;

    /// <summary>Per link and priority class: the slot whose turn it is.</summary>
    public Cursors48 Cursors;

    /// <summary>Per priority class: its slots.</summary>
    public Classes8 Classes;

    public void Clear()
    {
        this = default;
        for (int i = 0; i < 8; i++)
        {
            When[i] = long.MaxValue;
            Busy[i] = i < Links.Cables ? 0 : long.MaxValue;
        }
    }

    /// <summary>Out-links that take a packet now.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Idle(long now) =>
        (int)
            Vector512
                .LessThanOrEqual(Vector512.LoadUnsafe(ref Busy[0]), Vector512.Create(now))
                .ExtractMostSignificantBits();

    /// <summary>Time of the next event.</summary>
    public long Next() => NextBefore(long.MinValue, out _);

    /// <summary>Time of the next event that is no timer's: something arrives, a link is free on which something waits,
    /// or work was put off.</summary>
    public readonly long NextButTimers()
    {
        long least = long.MaxValue;
        for (int lane = 0; lane < 8; lane++)
        {
            least = lane == TimerLane ? least : Math.Min(least, When[lane]);
            least = (Wait >> lane & 1) == 0 ? least : Math.Min(least, Busy[lane]);
        }

        return least;
    }

    /// <summary>
    /// Time of the next event. If it is before the end, also its lanes: 0–7 as in <see cref="When"/>, 8–13 a free link
    /// on which something waits; otherwise they are not worked out.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long NextBefore(long end, out uint lanes)
    {
        Vector512<long> bit = Vector512.Create(1L, 2, 4, 8, 16, 32, 64, 128);
        Vector512<long> when = Vector512.LoadUnsafe(ref When[0]);
        Vector512<long> waits = Vector512.Equals(Vector512.Create((long)Wait) & bit, bit);
        Vector512<long> free = Vector512.ConditionalSelect(
            waits,
            Vector512.LoadUnsafe(ref Busy[0]),
            Vector512.Create(long.MaxValue)
        );
        Vector512<long> m = Vector512.Min(when, free);
        Vector256<long> m2 = Vector256.Min(m.GetLower(), m.GetUpper());
        Vector128<long> m3 = Vector128.Min(m2.GetLower(), m2.GetUpper());
        long time = Math.Min(m3[0], m3[1]);
        lanes = 0;
        if (time < end)
        {
            Vector512<long> at = Vector512.Create(time);
            lanes =
                (uint)Vector512.Equals(when, at).ExtractMostSignificantBits()
                | ((uint)Vector512.Equals(free, at).ExtractMostSignificantBits() << FreeLane);
        }

        return time;
    }

    [InlineArray(8)]
    public struct Long8
    {
        private long _first;
    }

    [InlineArray(Links.Cables * QueueClasses)]
    public struct Cursors48
    {
        private byte _first;
    }

    [InlineArray(QueueClasses)]
    public struct Classes8
    {
        private ulong _first;
    }

    [InlineArray(Links.Cables)]
    public struct Ready6
    {
        private ulong _first;
    }
}
