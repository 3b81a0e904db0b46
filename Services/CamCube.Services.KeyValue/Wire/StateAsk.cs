using System.Runtime.InteropServices;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Asks for a part of a group's state. 32 bytes, little-endian.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct StateAsk
{
    public const int Size = 32;

    public uint Group;

    /// <summary>The epoch that it is for.</summary>
    public uint Epoch;

    /// <summary>The asker's number for the whole state.</summary>
    public ulong Session;

    /// <summary>The asker has all up to this index.</summary>
    public ulong From;

    /// <summary>Keys that were sent before.</summary>
    public uint Cursor;

    /// <summary>The epoch's generation.</summary>
    public uint Generation;
}
