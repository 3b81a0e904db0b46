using System.Runtime.InteropServices;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Why a server does not do a request. 16 bytes, little-endian.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct RefusalContent
{
    public const int Size = 16;

    /// <summary>How long to wait before asking again.</summary>
    public uint WaitMicros;

    /// <summary>It had begun: whether it is done later cannot be said here.</summary>
    public byte IsUncertain;

    /// <summary>Too few of the servers that have the key have been there for a while.</summary>
    public byte IsAlone;

    public ushort Unused;

    /// <summary>Not 0: the asker's run is behind this one of its own, so nothing that it asks for under that run is
    /// done any more.</summary>
    public ulong Run;
}
