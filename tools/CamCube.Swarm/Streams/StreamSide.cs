using CamCube.Messaging;

namespace CamCube.Swarm.Streams;

/// <summary>One side of a stream: writes and reads as the plan says, and looks at every byte. Loop only; between
/// advances checkers read it.</summary>
public sealed class StreamSide
{
    private const int LazyBytes = 3_000;
    private readonly StreamTrafficService _owner;
    private readonly byte[] _piece;
    private readonly long _beganNanos;
    private ReliableStream? _stream;
    private bool _hasWritten;
    private bool _hasCompleted;
    private bool _isAwake;
    private long _seen;
    private long _written;
    private long _acknowledged;
    private StreamEnd _end;

    /// <summary>A side of a stream that has just come about.</summary>
    /// <param name="owner">Whose it is.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="plan">What both sides do.</param>
    /// <param name="isOpener">Which of the two it is.</param>
    /// <param name="piece">Room to fill: shared, used within a call.</param>
    /// <param name="nowNanos">Server time.</param>
    public StreamSide(
        StreamTrafficService owner,
        ReliableStream stream,
        StreamPlan plan,
        bool isOpener,
        byte[] piece,
        long nowNanos
    )
    {
        (_owner, _stream, Plan, IsOpener, _piece, _beganNanos) = (owner, stream, plan, isOpener, piece, nowNanos);
        Label = stream.Label;
    }

    /// <summary>The stream's name.</summary>
    public ulong Label { get; }

    /// <summary>What is done.</summary>
    public StreamPlan Plan { get; }

    /// <summary>Which side it is.</summary>
    public bool IsOpener { get; }

    /// <summary>Whose it is.</summary>
    public StreamTrafficService Owner => _owner;

    /// <summary>Bytes that were read and right.</summary>
    public long Read { get; private set; }

    /// <summary>It was given back.</summary>
    public bool IsGone => _stream is null;

    /// <summary>How it ended.</summary>
    public StreamEnd End => _stream?.End ?? _end;

    /// <summary>Bytes written.</summary>
    public long Written => _stream?.Written ?? _written;

    /// <summary>Bytes written that have arrived.</summary>
    public long Acknowledged => _stream?.Acknowledged ?? _acknowledged;

    /// <summary>Bytes that have come, in order.</summary>
    public long Seen => Math.Max(_seen, Read + (_stream?.Readable ?? 0));

    /// <summary>Whether its reader has read all that is here.</summary>
    public bool KeepsUp => _stream is { Readable: 0 };

    /// <summary>Whether nothing more is written: completed.</summary>
    public bool HasCompleted => _hasCompleted;

    /// <summary>Run of the peer's endpoint, as far as is known.</summary>
    public ulong PeerRun => _stream?.PeerRun ?? 0;

    private StreamPlan.Direction Outgoing => IsOpener ? Plan.There : Plan.Back;

    private StreamPlan.Direction Incoming => IsOpener ? Plan.Back : Plan.There;

    /// <summary>Begins.</summary>
    public void Begin()
    {
        if (Incoming.Reader == ReaderHabit.Waits)
        {
            _owner.Run(WaitAsync);
        }
        else if (Incoming.Reader == ReaderHabit.Abandons)
        {
            _ = _stream?.ReadableAsync();
        }

        Write();
        ReadAsUsual();
    }

    /// <summary>Writes what there is room for; at the end does what a writer of its habit does.</summary>
    public void Write()
    {
        long goal = Outgoing.Writer is WriterHabit.Aborts or WriterHabit.Drops ? Outgoing.Middle : Outgoing.Length;
        while (_stream is { } stream && !_hasWritten)
        {
            long at = stream.Written;
            int most = (int)Math.Min(Math.Min(_piece.Length, goal - at), Math.Max(1, stream.Writable));
            if (most > 0)
            {
                // One byte at least, so that the stream knows that somebody wants room.
                Span<byte> piece = _piece.AsSpan(0, most);
                StreamBytes.Fill(piece, Label, IsOpener, at);
                if (stream.Write(piece) == 0)
                {
                    return;
                }

                continue;
            }

            _hasWritten = true;
            EndWriting(stream);
        }
    }

    /// <summary>Bytes are here.</summary>
    public void OnReadable() => ReadAsUsual();

    /// <summary>Time has passed.</summary>
    /// <param name="nowNanos">Server time.</param>
    /// <param name="isClosing">Whether all is to end as soon as it can.</param>
    public void Tick(long nowNanos, bool isClosing)
    {
        if (Incoming.Reader == ReaderHabit.Lazy && !_isAwake)
        {
            ReadSome(LazyBytes);
        }

        if (_isAwake || (nowNanos - _beganNanos < Plan.LifeNanos && !isClosing))
        {
            return;
        }

        _isAwake = true;
        if (Outgoing.Writer == WriterHabit.Hesitates && _hasWritten)
        {
            Complete();
        }

        if (Incoming.Reader == ReaderHabit.Never)
        {
            Leave();
        }
        else
        {
            ReadAsUsual();
        }
    }

    /// <summary>It has ended: what is here is read, and the stream is given back.</summary>
    public void OnEnded()
    {
        if (Incoming.Reader is not (ReaderHabit.Never or ReaderHabit.Stops))
        {
            ReadSome(int.MaxValue);
        }

        Leave();
    }

    /// <summary>Gives the stream back.</summary>
    public void Leave()
    {
        if (_stream is { } stream)
        {
            (_seen, _written, _acknowledged) = (Seen, stream.Written, stream.Acknowledged);
            _end = stream.End;
            _stream = null;
            _owner.Forget(stream);
            stream.Dispose();
        }
    }

    /// <summary>One line for messages.</summary>
    public override string ToString() =>
        $"{(IsOpener ? "opener" : "acceptor")} {_owner.Place} ({Outgoing.Writer}, {Incoming.Reader}; wrote {Written} "
        + $"of {Outgoing.Length}{(_hasCompleted ? " and completed" : "")}, {Acknowledged} arrived; read {Read}, "
        + $"saw {Seen}; {(IsGone ? "gone, " : "")}{End})";

    private void EndWriting(ReliableStream stream)
    {
        switch (Outgoing.Writer)
        {
            case WriterHabit.Completes:
                Complete();
                break;
            case WriterHabit.Hesitates when _isAwake:
                Complete();
                break;
            case WriterHabit.Aborts:
                stream.Abort((uint)Label);
                break;
            case WriterHabit.Leaves:
                Complete();
                Leave();
                break;
            case WriterHabit.Drops:
                Leave();
                break;
            default:
                break;
        }
    }

    private void Complete()
    {
        _hasCompleted = true;
        _stream?.Complete();
    }

    private void ReadAsUsual()
    {
        switch (Incoming.Reader)
        {
            case ReaderHabit.Eager:
            case ReaderHabit.Abandons:
            case ReaderHabit.Lazy when _isAwake:
                ReadSome(int.MaxValue);
                break;
            case ReaderHabit.Stops:
                ReadSome(int.MaxValue);
                if (Read >= Incoming.Middle)
                {
                    Leave();
                }

                break;
            default:
                break;
        }
    }

    private async ValueTask WaitAsync()
    {
        while (_stream is { } stream && await stream.ReadableAsync())
        {
            ReadSome(int.MaxValue);
        }
    }

    private void ReadSome(int most)
    {
        while (most > 0 && _stream is { } stream && stream.Peek() is { IsEmpty: false } here)
        {
            ReadOnlySpan<byte> bytes = here[..Math.Min(here.Length, most)];
            int wrong = StreamBytes.FirstWrong(bytes, Label, !IsOpener, Read);
            if (wrong >= 0)
            {
                _owner.NoteWrong(this, Read + wrong);
            }
            else
            {
                _owner.NoteRead(bytes.Length);
            }

            most -= bytes.Length;
            Read += bytes.Length;
            stream.Consume(bytes.Length);
        }
    }
}
