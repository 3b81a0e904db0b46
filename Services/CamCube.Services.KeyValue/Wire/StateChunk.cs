using System.Runtime.InteropServices;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>The head of a part of a group's state. 52 bytes, little-endian; records follow.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct StateChunk
{
    public const int Size = 52;

    public uint Group;

    /// <summary>0: the state is not to be had here.</summary>
    public uint Epoch;

    public ulong Session;

    /// <summary>Keys before this part.</summary>
    public uint Cursor;

    /// <summary>Keys before the next; 0: this is the last.</summary>
    public uint Next;

    /// <summary>The state has all up to this index.</summary>
    public ulong Index;

    /// <summary>The ballot of the entry there: generation, epoch, term.</summary>
    public uint Generation;
    public uint BallotEpoch;
    public uint Term;

    /// <summary>The marks there.</summary>
    public byte Away;
    public byte Whole;

    /// <summary>Records in it; behind those of the last part there are the ballots, and
    /// what is known of requests.</summary>
    public ushort Count;

    /// <summary>Bytes of the records, and what is behind them.</summary>
    public uint Length;
}
