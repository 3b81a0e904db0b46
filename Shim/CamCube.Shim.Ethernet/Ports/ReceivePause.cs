using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>
/// While frames come one after the other, the loop sleeps for a moment without being woken by them, as a network card
/// holds back its interrupts. Waking a thread costs whoever sends more than a frame does, and a receiver that is faster
/// than its sender would be woken again and again. One thread.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class ReceivePause(int keys, long nanos) : IDisposable
{
    /// <summary>Frames between two sleeps that make them a stream. A question and its answer are fewer.</summary>
    public const int Stream = 8;

    // What ends a pause before its time: everything that the loop watches but frames.
    private readonly Poller _others = new(keys);
    private bool _isExact;
    private int _frames;

    /// <summary>Also watches this, under a key that is free.</summary>
    public void Watch(SafeHandle descriptor, int key) => _others.Watch(descriptor, key, PollEvents.Readable);

    /// <summary>Frames arrived.</summary>
    public void Add(int frames) => _frames += frames;

    /// <summary>Before a sleep: pauses if frames have come in a stream since the last one, and if there is time for
    /// it.</summary>
    /// <param name="limit">Nanoseconds until the loop has to be awake.</param>
    /// <param name="happened">Whether something else than a frame ended the pause.</param>
    /// <returns>False: it did not pause, and the next frame is to end the sleep.</returns>
    public bool TryPause(long limit, out bool happened)
    {
        bool isStream = _frames >= Stream;
        _frames = 0;
        happened = false;
        if (!isStream || limit < nanos || nanos == 0)
        {
            return false;
        }

        if (!_isExact)
        {
            _isExact = true;
            Poller.BeExact();
        }

        happened = _others.Wait(nanos) > 0;
        return true;
    }

    public void Dispose() => _others.Dispose();
}
