using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Wire;

/// <summary>In front of the client's key, when a server that may hold a copy asks the root for it. 24 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct FetchHead
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 24;

    /// <summary>Run of the holder.</summary>
    public ulong HolderRun;

    /// <summary>When it asked, by its own clock: the lease begins then.</summary>
    public long AskedNanos;

    /// <summary>The server whose client wants to know.</summary>
    public Coordinate Asker;

    /// <summary>0.</summary>
    public ushort Unused;
}
