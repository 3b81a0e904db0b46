using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Services.Tunnel.Cards;

/// <summary>A TAP. Loop only.</summary>
/// <param name="tap">The open device, owned from now on.</param>
/// <param name="offloads">Work that the system leaves to the reader.</param>
/// <param name="ownNamespace">The namespace that was made for it; null: none.</param>
[SupportedOSPlatform("linux")]
internal sealed class LinuxCard(DescriptorHandle tap, TapOffloads offloads, string? ownNamespace) : ICard, IServerAgent
{
    // An interface that is down says so again and again.
    private const long DownNanos = 100_000_000;
    private ILoopSeat? _seat;
    private Func<bool>? _read;
    private int _number = -1;
    private bool _isDown;

    /// <inheritdoc/>
    public string Offloads { get; } = WordsOf(offloads);

    /// <inheritdoc/>
    public bool IsGone { get; private set; }

    /// <inheritdoc/>
    public bool TryBegin(IServerLoop loop, Func<bool> read)
    {
        _seat = loop.TryJoin(this);
        if (_seat is null)
        {
            return false;
        }

        _read = read;
        _seat.Wake();
        return true;
    }

    /// <inheritdoc/>
    public int Read(Span<byte> frame)
    {
        int count = TapDevice.Read(tap, frame);
        _isDown = count == -SystemError.InputOutput;
        IsGone |= count == -SystemError.BadDescriptorState;
        return Math.Max(count, 0);
    }

    /// <inheritdoc/>
    public bool Write(ReadOnlySpan<byte> frame)
    {
        int count = TapDevice.Write(tap, frame);
        IsGone |= count == -SystemError.BadDescriptorState;
        return count == frame.Length;
    }

    /// <inheritdoc/>
    public long Turn(ReadOnlySpan<LoopEvent> events, long nowNanos)
    {
        if (_number < 0)
        {
            _number = _seat!.Watch(tap, LoopEvents.Readable | LoopEvents.EdgeTriggered, this);
        }

        return _read!() ? nowNanos
            : _isDown ? nowNanos + DownNanos
            : long.MaxValue;
    }

    private static string WordsOf(TapOffloads offloads) =>
        (offloads & TapOffloads.SegmentsUdp4) != 0 ? "sums, TCP, UDP"
        : (offloads & TapOffloads.SegmentsTcp4) != 0 ? "sums, TCP"
        : offloads != TapOffloads.None ? "sums"
        : "none";

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_number >= 0)
        {
            _seat!.Forget(tap, _number);
        }

        _seat?.Leave();
        tap.Dispose();
        if (ownNamespace is not null)
        {
            NamespaceFile.Delete(ownNamespace);
        }
    }
}
