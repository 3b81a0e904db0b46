using CamCube.Linux;

namespace CamCube.Runtime.Engine;

/// <summary>Nanoseconds since a moment, those included in which the machine was suspended, as far as its system knows
/// them. Any thread.</summary>
internal sealed class AwakeClock
{
    private readonly TimeProvider _time;
    private readonly bool _isLinux;
    private readonly long _origin;

    /// <summary>A clock that begins now.</summary>
    /// <param name="time">The clock of a test; the system's own has a better one.</param>
    public AwakeClock(TimeProvider time)
    {
        _time = time;

        // Not to read it: a test's clock is not the machine's.
#pragma warning disable RS0030
        _isLinux = OperatingSystem.IsLinux() && ReferenceEquals(time, TimeProvider.System);
#pragma warning restore RS0030
        _origin = OperatingSystem.IsLinux() && _isLinux ? LinuxClock.BootNanos : time.GetTimestamp();
    }

    public long Read() =>
        OperatingSystem.IsLinux() && _isLinux
            ? LinuxClock.BootNanos - _origin
            : (long)_time.GetElapsedTime(_origin).TotalNanoseconds;
}
