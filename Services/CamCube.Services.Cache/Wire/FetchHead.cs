using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Wire;

/// <summary>In front of the client's key, when a server that may hold a copy asks the root for it. 32 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct FetchHead
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 32;

    /// <summary>Run of the holder.</summary>
    public ulong HolderRun;

    /// <summary>When it asked, by its own clock: the lease begins then.</summary>
    public long AskedNanos;

    /// <summary>Token of the value that it still has from an earlier copy; 0: none.</summary>
    public ulong HasCas;

    /// <summary>The server whose client wants to know.</summary>
    public Coordinate Asker;

    /// <summary>In the root's answer: 1 if that is the value, which then does not follow; else 0.</summary>
    public ushort IsSame;
}
