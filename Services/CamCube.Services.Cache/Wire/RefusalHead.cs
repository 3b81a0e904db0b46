using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Wire;

/// <summary>Content of a refusal. 32 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct RefusalHead
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 32;

    /// <summary>Run of the refusing server.</summary>
    public ulong Run;

    /// <summary>Its clock.</summary>
    public long NowNanos;

    /// <summary>How long that run has lasted.</summary>
    public long UptimeNanos;

    /// <summary>How long to wait before asking again.</summary>
    public long WaitNanos;
}
