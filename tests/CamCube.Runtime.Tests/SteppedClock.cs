namespace CamCube.Runtime.Tests;

/// <summary>The machine's clocks, of which that of calendars is set by the test while the monotonic one goes on. Any
/// thread.</summary>
internal sealed class SteppedClock : TimeProvider
{
    private long _offsetTicks;

    /// <summary>How far the clock of calendars is off.</summary>
    public TimeSpan Offset
    {
        get => new(Volatile.Read(ref _offsetTicks));
        set => Volatile.Write(ref _offsetTicks, value.Ticks);
    }

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => System.GetUtcNow() + Offset;

    /// <inheritdoc/>
    public override long GetTimestamp() => System.GetTimestamp();

    /// <inheritdoc/>
    public override long TimestampFrequency => System.TimestampFrequency;
}
