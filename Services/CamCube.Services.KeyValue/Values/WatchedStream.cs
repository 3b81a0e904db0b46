using CamCube.Messaging;

namespace CamCube.Services.KeyValue.Values;

/// <summary>A stream, and since when its user waits for the other side: who stands still for too long is given up. Loop
/// only.</summary>
internal sealed class WatchedStream(IServer server, ReliableStream stream)
{
    private const long RestNanos = 500_000_000;
    private bool _isWaiting;
    private long _sinceNanos = server.NowNanos;

    public ReliableStream Stream => stream;

    /// <summary>How long the other side may stand still.</summary>
    public long PatienceNanos { get; set; } = long.MaxValue;

    /// <summary>Is told, perhaps more than once, that its user does nothing with it for a while: it may
    /// close it.</summary>
    public Action? OnRest { get; set; }

    public void Wait() => (_isWaiting, _sinceNanos) = (true, server.NowNanos);

    public void Go() => (_isWaiting, _sinceNanos) = (false, server.NowNanos);

    /// <summary>Gives it up if it stands still.</summary>
    public void Look()
    {
        long nanos = server.NowNanos - _sinceNanos;
        if (_isWaiting && nanos > PatienceNanos)
        {
            stream.Abort(ValueWire.Away);
        }
        else if (!_isWaiting && nanos > RestNanos)
        {
            OnRest?.Invoke();
        }
    }
}
