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

    /// <summary>Whom to ask: <see cref="Leader"/>.</summary>
    public byte HasLeader;

    public ushort Unused;

    /// <summary>Who leads, as far as is known there.</summary>
    public Coordinate Leader;

    public ushort Unused1;
}
