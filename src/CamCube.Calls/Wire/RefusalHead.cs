using System.Runtime.InteropServices;

namespace CamCube.Calls;

/// <summary>Content of a refusal. 32 bytes, little-endian.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct RefusalHead
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 32;

    /// <summary>Who refuses.</summary>
    public RootStamp Root;

    /// <summary>How long that run has lasted.</summary>
    public long UptimeNanos;

    /// <summary>How long to wait before asking again.</summary>
    public long WaitNanos;
}
