using CamCube.Messaging.Streams.Connections;

namespace CamCube.Messaging;

/// <summary>Tells a handler, and goes on with who waits.</summary>
internal sealed class StreamTeller(IStreamHandler handler) : IStreamNews
{
    /// <summary>What the service has of a stream.</summary>
    public static ReliableStream FaceOf(StreamBody body)
    {
        var face = (ReliableStream?)body.Face;
        body.Face = face ??= new ReliableStream(body);
        return face;
    }

    /// <inheritdoc/>
    public void Tell(StreamBody stream, StreamNews news)
    {
        ReliableStream face = FaceOf(stream);
        if (news == StreamNews.Incoming)
        {
            if (!handler.OnIncoming(face) && !stream.IsLeft)
            {
                stream.Refuse();
            }

            return;
        }

        if (stream.IsLeft)
        {
            return;
        }

        switch (news)
        {
            case StreamNews.Readable:
                face.GoOn(isReader: true);
                handler.OnReadable(face);
                break;
            case StreamNews.Writable:
                face.GoOn(isReader: false);
                handler.OnWritable(face);
                break;
            default:
                face.GoOn(isReader: true);
                face.GoOn(isReader: false);
                handler.OnEnded(face);
                break;
        }
    }
}
