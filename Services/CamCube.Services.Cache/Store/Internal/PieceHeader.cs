using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Store.Internal;

/// <summary>In front of a further piece of a value. 16 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct PieceHeader
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 16;

    /// <summary><see cref="ChunkKind.Piece"/>.</summary>
    public ChunkKind Kind;

    /// <summary>The item it belongs to.</summary>
    public uint Owner;

    /// <summary>The next piece; 0: this is the last.</summary>
    public uint Next;

    /// <summary>Bytes of the value in it.</summary>
    public int Length;
}
