namespace CamCube.Messaging;

/// <summary>Who is told of the streams of an endpoint: nearly always the service itself. Called after the callback in
/// which something happened; it may do with any stream what it likes. Loop only.</summary>
public interface IStreamHandler
{
    /// <summary>A peer has opened a stream. True: it is the handler's now, which disposes of it. False:
    /// refused.</summary>
    bool OnIncoming(ReliableStream stream);

    /// <summary>Bytes are here that were not, or the peer has written all.</summary>
    void OnReadable(ReliableStream stream) { }

    /// <summary>There is room again, after there was none.</summary>
    void OnWritable(ReliableStream stream) { }

    /// <summary>It has ended: <see cref="ReliableStream.End"/>. What is here may still be read.</summary>
    void OnEnded(ReliableStream stream) { }
}
