using CamCube.Messaging;

namespace CamCube.Experiments.Streams;

/// <summary>One stream that a server writes. One thread.</summary>
/// <param name="stream">The stream.</param>
/// <param name="label">What it is called.</param>
/// <param name="length">Bytes to write; 0: it stays open without one.</param>
internal sealed class BulkWriting(ReliableStream stream, ulong label, long length)
{
    private long _length = length;

    /// <summary>The stream, until it has ended.</summary>
    public ReliableStream? Stream { get; private set; } = stream;

    /// <summary>What it is called.</summary>
    public ulong Label => label;

    /// <summary>Bytes that were written.</summary>
    public long Written { get; private set; }

    /// <summary>How it ended, if it has.</summary>
    public StreamEnd End { get; private set; }

    /// <summary>When it ended.</summary>
    public long EndNanos { get; private set; }

    /// <summary>Writes as much as there is room for.</summary>
    public void Write()
    {
        while (Stream is { } stream && Written < _length)
        {
            ReadOnlySpan<byte> bytes = BulkBytes.From(label, Written);
            bytes = bytes[..(int)Math.Min(bytes.Length, _length - Written)];
            int written = stream.Write(bytes);
            Written += written;
            if (written < bytes.Length)
            {
                return;
            }
        }

        if (_length > 0)
        {
            Stream?.Complete();
        }
    }

    /// <summary>Writes no more than it has.</summary>
    public void Stop()
    {
        _length = Written;
        Stream?.Complete();
    }

    /// <summary>It has ended.</summary>
    public void Finish(long nowNanos)
    {
        (End, EndNanos) = (Stream!.End, nowNanos);
        Stream.Dispose();
        Stream = null;
    }
}
