namespace CamCube.Services.Distribution.Pieces;

/// <summary>Which piece of a file is where, and in which tree's stripe: piece i in that of tree i modulo the trees.
/// Pieces consist of blocks, each with a sum.</summary>
/// <param name="Length">Bytes of the file.</param>
/// <param name="PieceBytes">Bytes of every piece but the last.</param>
/// <param name="BlockBytes">Bytes of every block but a piece's last.</param>
/// <param name="Trees">Trees, and stripes; 0: the source is alone.</param>
internal readonly record struct PieceLayout(long Length, int PieceBytes, int BlockBytes, int Trees)
{
    /// <summary>Pieces of the file.</summary>
    public int Pieces => (int)Wire.Manifest.PiecesOf(Length, PieceBytes);

    /// <summary>Blocks of every piece but the last.</summary>
    public int BlocksOfPiece => (PieceBytes + BlockBytes - 1) / BlockBytes;

    /// <summary>Pieces of a stripe.</summary>
    public int CountOf(int tree) => Pieces > tree ? ((Pieces - tree - 1) / Trees) + 1 : 0;

    /// <summary>The piece of a stripe.</summary>
    /// <param name="tree">The stripe's tree.</param>
    /// <param name="number">From 0.</param>
    public int PieceOf(int tree, int number) => (number * Trees) + tree;

    /// <summary>The tree of a piece's stripe.</summary>
    public int TreeOf(int piece) => piece % Trees;

    /// <summary>The number of a piece within its stripe.</summary>
    public int NumberOf(int piece) => piece / Trees;

    /// <summary>Where a piece begins in the file.</summary>
    public long OffsetOf(int piece) => (long)piece * PieceBytes;

    /// <summary>Where a piece ends in the file.</summary>
    public long EndOf(int piece) => OffsetOf(piece) + LengthOf(piece);

    /// <summary>Bytes of a piece.</summary>
    public int LengthOf(int piece) => (int)Math.Min(PieceBytes, Length - OffsetOf(piece));

    /// <summary>Where, in a piece of a length, the block ends that a byte is in.</summary>
    public int BlockEnd(int at, int length) => Math.Min(((at / BlockBytes) + 1) * BlockBytes, length);
}
