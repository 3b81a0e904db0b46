using CamCube.Messaging;

namespace CamCube.Services.KeyValue.Values;

/// <summary>A stream, and since when its user waits for the other side: who stands still for too long is given up. Loop
/// only.</summary>
internal sealed class WatchedStream(IServer server, ReliableStream stream)
{
    public ReliableStream Stream => stream;

    /// <summary>How long the other side may stand still.</summary>
    public long PatienceNanos { get; set; } = long.MaxValue;

    /// <summary>Somebody waits since then; else far away.</summary>
    public long SinceNanos { get; private set; } = long.MaxValue;

    public void Wait() => SinceNanos = server.NowNanos;

    public void Go() => SinceNanos = long.MaxValue;

    /// <summary>Gives it up if it stands still.</summary>
    public void Look()
    {
        if (SinceNanos != long.MaxValue && server.NowNanos - SinceNanos > PatienceNanos)
        {
            stream.Abort(ValueWire.Away);
        }
    }
}
