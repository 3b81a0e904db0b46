using CamCube.Messaging;

namespace CamCube.Trees;

/// <summary>The answer to one pull, as it is written. Loop only.</summary>
public sealed class PullOutput
{
    private readonly ReliableStream _stream;
    private IPullSource? _source;

    internal PullOutput(ReliableStream stream) => _stream = stream;

    /// <summary>Who pulls.</summary>
    public Coordinate Consumer => _stream.Peer;

    /// <summary>It goes on: nobody left, and it is not complete.</summary>
    public bool IsOpen { get; private set; } = true;

    /// <summary>Bytes that may be written now without waiting.</summary>
    public int Writable => IsOpen ? _stream.Writable : 0;

    /// <summary>Bytes that were written.</summary>
    public long Written { get; private set; }

    internal bool HasSource => _source is not null;

    /// <summary>Copies bytes in, as many as there is room for. Returns how many.</summary>
    public int Write(ReadOnlySpan<byte> bytes)
    {
        int written = IsOpen ? _stream.Write(bytes) : 0;
        Written += written;
        return written;
    }

    /// <summary>That was all of the answer.</summary>
    public void Complete()
    {
        if (IsOpen)
        {
            IsOpen = false;
            _stream.Complete();
        }
    }

    /// <summary>There is no more of the answer here: who pulls asks again, if it wants to.</summary>
    /// <param name="why">What it is told.</param>
    public void Abort(PullRefusal why)
    {
        if (IsOpen)
        {
            IsOpen = false;
            _stream.Abort((uint)why);
        }
    }

    internal void Begin(IPullSource source)
    {
        _source = source;
        source.OnWritable();
    }

    internal void OnWritable()
    {
        if (IsOpen)
        {
            _source?.OnWritable();
        }
    }

    internal void Leave()
    {
        IsOpen = false;
        (IPullSource? source, _source) = (_source, null);
        source?.OnLeft();
    }
}
