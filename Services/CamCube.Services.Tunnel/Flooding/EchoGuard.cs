namespace CamCube.Services.Tunnel.Flooding;

/// <summary>Which frames came in by the bridge and went to all of late: one that comes in again went round by another
/// bridge to the same network. Loop only; allocates nothing but at the start.</summary>
internal sealed class EchoGuard
{
    // More than come in within that time, unless somebody floods.
    private const int Places = 1_024;

    // Longer than a packet is on its way.
    private const long EchoNanos = 1_000_000_000;
    private readonly (uint Sum, long Nanos)[] _came = new (uint, long)[Places];

    /// <summary>A frame comes in. Whether the same did a short while ago.</summary>
    /// <param name="sum">A checksum of all of it.</param>
    /// <param name="nowNanos">Server time.</param>
    public bool IsEcho(uint sum, long nowNanos)
    {
        ref (uint Sum, long Nanos) place = ref _came[sum % Places];
        bool isEcho = place.Sum == sum && place.Nanos > 0 && nowNanos - place.Nanos < EchoNanos;
        place = isEcho ? place : (sum, nowNanos);
        return isEcho;
    }
}
