using System.Runtime.InteropServices;

namespace CamCube.Linux;

/// <summary>Linux' struct timespec on 64-bit machines.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct ClockTime
{
    public long Seconds;
    public long Nanos;
}
