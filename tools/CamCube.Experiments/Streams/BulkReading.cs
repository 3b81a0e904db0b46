using CamCube.Messaging;

namespace CamCube.Experiments.Streams;

/// <summary>What came of one stream. One thread.</summary>
internal sealed class BulkReading(ulong label, long nowNanos)
{
    private long _lastNanos = nowNanos;

    /// <summary>Bytes that were read, in order.</summary>
    public long Bytes { get; private set; }

    /// <summary>Pieces that were not what was written.</summary>
    public long Wrong { get; private set; }

    /// <summary>The longest time without a byte since <see cref="Watch"/>.</summary>
    public long StallNanos { get; private set; }

    /// <summary>How the stream ended, if it has.</summary>
    public StreamEnd End { get; private set; }

    /// <summary>When it ended.</summary>
    public long EndNanos { get; private set; }

    /// <summary>Looks for the longest time without a byte, from now on.</summary>
    public void Watch(long nowNanos) => (StallNanos, _lastNanos) = (0, nowNanos);

    /// <summary>Bytes have come.</summary>
    public void Take(ReadOnlySpan<byte> bytes, long nowNanos)
    {
        Wrong += BulkBytes.Are(label, Bytes, bytes) ? 0 : 1;
        Bytes += bytes.Length;
        StallNanos = Math.Max(StallNanos, nowNanos - _lastNanos);
        _lastNanos = nowNanos;
    }

    /// <summary>It has ended.</summary>
    public void Finish(in StreamEnd end, long nowNanos) => (End, EndNanos) = (end, nowNanos);
}
