using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Wire;

/// <summary>A flush_all on its way. 16 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct FlushHead
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 16;

    /// <summary>When and by whom it was asked for: of two the larger counts. 0: none.</summary>
    public ulong Stamp;

    /// <summary>Time from now until it happens.</summary>
    public long DelayNanos;
}
