using CamCube.Messaging.Streams.Flow;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Paths;

/// <summary>The packets that came on one path, and what is still to be acknowledged of them.</summary>
internal sealed class ReceivedPackets
{
    /// <summary>Ranges in one acknowledgement; numbers below the lowest are as good as forgotten.</summary>
    public const int MostRanges = 64;

    private readonly RangeSet _numbers = new();
    private long _largest = -1;
    private long _largestNanos;
    private uint _marked;

    /// <summary>When an acknowledgement is due; long.MaxValue: none is.</summary>
    public long AckNanos { get; private set; } = long.MaxValue;

    /// <summary>A packet came. False: it had come before.</summary>
    /// <param name="wire">Its number.</param>
    /// <param name="isMarked">Whether a hop marked it.</param>
    /// <param name="asks">Whether its sender waits for an acknowledgement.</param>
    /// <param name="nowNanos">When.</param>
    /// <param name="delayNanos">How long its acknowledgement may wait for another packet.</param>
    public bool TryAdd(uint wire, bool isMarked, bool asks, long nowNanos, long delayNanos)
    {
        long number = Serial.Expand(wire, Math.Max(_largest, 0));
        bool isGap = number != _largest + 1;
        if (number < 0 || _numbers.Add(number, number + 1) == 0)
        {
            // What was acknowledged in vain is acknowledged again.
            AckNanos = nowNanos;
            return false;
        }

        _numbers.KeepLast(MostRanges);
        _marked += isMarked ? 1u : 0u;
        if (number > _largest)
        {
            (_largest, _largestNanos) = (number, nowNanos);
        }

        AckNanos = Math.Min(AckNanos, isGap || isMarked || asks ? nowNanos : nowNanos + delayNanos);
        return true;
    }

    /// <summary>It could not be acknowledged: at this time then.</summary>
    public void Postpone(long nanos) => AckNanos = nanos;

    /// <summary>Bytes of an acknowledgement now.</summary>
    public int Length => FrameWriter.AckLength(_numbers.Count);

    /// <summary>Writes an acknowledgement.</summary>
    public void Write(ref FrameWriter writer, int path, long nowNanos)
    {
        writer.Ack(
            path,
            (uint)_largest,
            (int)Math.Min((nowNanos - _largestNanos) / 1_000, ushort.MaxValue),
            _marked,
            RangesToWrite()
        );
        long above = _largest + 1;
        for (int i = _numbers.Count - 1, left = RangesToWrite(); left > 0; i--, left--)
        {
            (long start, long end) = _numbers[i];
            int length = (int)Math.Min(end - start, ushort.MaxValue);
            writer.Range((int)(above - end), length);
            above = end - length;
        }

        AckNanos = long.MaxValue;
    }

    // Up to a gap that does not fit, or a range that is longer than can be said.
    private int RangesToWrite()
    {
        int ranges = 0;
        long above = _largest + 1;
        for (int i = _numbers.Count - 1; i >= 0; i--)
        {
            (long start, long end) = _numbers[i];
            if (above - end > ushort.MaxValue)
            {
                break;
            }

            ranges++;
            above = start;
            if (end - start > ushort.MaxValue)
            {
                break;
            }
        }

        return ranges;
    }
}
