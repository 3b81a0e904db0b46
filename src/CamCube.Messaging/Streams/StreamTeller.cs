using CamCube.Messaging.Streams.Connections;

namespace CamCube.Messaging;

/// <summary>Tells a handler, and goes on with who waits.</summary>
internal sealed class StreamTeller(IStreamHandler handler) : IStreamNews
{
    // So many are left alone before one is used again: who touches a stream after Dispose mostly does it at once.
    private const int LeastFree = 64;
    private readonly Queue<ReliableStream> _free = new();

    /// <summary>What the service has of a stream.</summary>
    public ReliableStream FaceOf(StreamBody body)
    {
        if (body.Face is not ReliableStream face)
        {
            face = _free.Count > LeastFree ? _free.Dequeue() : new ReliableStream();
            face.Begin(body);
            body.Face = face;
        }

        return face;
    }

    /// <summary>It was disposed of. In Debug builds it stays so: whoever uses it later is told.</summary>
    [System.Diagnostics.CodeAnalysis.SuppressMessage(
        "Performance",
        "CA1822",
        Justification = "In Release builds it uses the queue."
    )]
    public void Return(ReliableStream face)
    {
#if !DEBUG
        if (_free.Count < 2 * StreamHost.MostFree)
        {
            _free.Enqueue(face);
        }
#endif
    }

    /// <inheritdoc/>
    public void Tell(StreamBody stream, StreamNews news)
    {
        if (stream.IsLeft)
        {
            return;
        }

        ReliableStream face = FaceOf(stream);
        switch (news)
        {
            case StreamNews.Incoming:
                if (!handler.OnIncoming(face) && !stream.IsLeft)
                {
                    face.Leave();
                    stream.Refuse(Streams.Wire.ResetWhy.Refused);
                }

                break;
            case StreamNews.Readable:
                face.GoOn(isReader: true);
                Tell(stream, static (h, f) => h.OnReadable(f), face);
                break;
            case StreamNews.Writable:
                face.GoOn(isReader: false);
                Tell(stream, static (h, f) => h.OnWritable(f), face);
                break;
            default:
                face.GoOn(isReader: true);
                face.GoOn(isReader: false);
                Tell(stream, static (h, f) => h.OnEnded(f), face);
                break;
        }
    }

    // Who went on may have given it back.
    private void Tell(StreamBody stream, Action<IStreamHandler, ReliableStream> how, ReliableStream face)
    {
        if (!stream.IsLeft)
        {
            how(handler, face);
        }
    }
}
