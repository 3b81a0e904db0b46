namespace CamCube.Services.Distribution.Wire;

/// <summary>
/// Which piece of a file is where, and in which tree's stripe. Pieces consist of blocks, each with a sum. Without a
/// code piece i is in the stripe of tree i modulo the trees. With one, the last trees carry parity: a group has a piece
/// of each tree, and any of these but <paramref name="Code"/> are enough. Pieces of the file have the first numbers,
/// pieces of parity those behind.
/// </summary>
/// <param name="Length">Bytes of the file.</param>
/// <param name="PieceBytes">Bytes of every piece but the last.</param>
/// <param name="BlockBytes">Bytes of every block but a piece's last.</param>
/// <param name="Trees">Trees, and stripes; 0: the source is alone.</param>
/// <param name="Code">Trees that carry parity, up to <see cref="DistributionRequest.MostCodeOf"/>.</param>
internal readonly record struct PieceLayout(long Length, int PieceBytes, int BlockBytes, int Trees, int Code = 0)
{
    /// <summary>Trees that carry the file.</summary>
    public int DataTrees => Trees - Code;

    /// <summary>Pieces of the file.</summary>
    public int Pieces => (int)Manifest.PiecesOf(Length, PieceBytes);

    /// <summary>Pieces of the stripe that has most: with a code, groups.</summary>
    public int Groups => Trees == 0 ? 0 : (Pieces + DataTrees - 1) / DataTrees;

    /// <summary>Pieces of the file, and of parity.</summary>
    public int All => Pieces + (Groups * Code);

    /// <summary>Blocks of every piece but the last.</summary>
    public int BlocksOfPiece => (PieceBytes + BlockBytes - 1) / BlockBytes;

    /// <summary>Blocks of all pieces.</summary>
    public long Blocks =>
        Manifest.BlocksOf(Length, PieceBytes, BlockBytes)
        + (
            Code * ((Math.Max(0L, Groups - 1) * BlocksOfPiece) + (Groups == 0 ? 0 : BlocksOf(ParityLength(Groups - 1))))
        );

    /// <summary>Whether a tree carries parity.</summary>
    public bool IsParityTree(int tree) => tree >= DataTrees;

    /// <summary>Whether a piece is one of parity.</summary>
    public bool IsParity(int piece) => piece >= Pieces;

    /// <summary>Pieces of a stripe.</summary>
    public int CountOf(int tree) =>
        IsParityTree(tree) ? Groups
        : Pieces > tree ? ((Pieces - tree - 1) / DataTrees) + 1
        : 0;

    /// <summary>The piece of a stripe.</summary>
    /// <param name="tree">The stripe's tree.</param>
    /// <param name="number">From 0: the group.</param>
    public int PieceOf(int tree, int number) =>
        IsParityTree(tree) ? Pieces + (number * Code) + tree - DataTrees : (number * DataTrees) + tree;

    /// <summary>The tree of a piece's stripe.</summary>
    public int TreeOf(int piece) => IsParity(piece) ? DataTrees + ((piece - Pieces) % Code) : piece % DataTrees;

    /// <summary>The number of a piece within its stripe: its group.</summary>
    public int NumberOf(int piece) => IsParity(piece) ? (piece - Pieces) / Code : piece / DataTrees;

    /// <summary>Where a piece begins in the file, or in that of parity.</summary>
    public long OffsetOf(int piece) => (long)(IsParity(piece) ? piece - Pieces : piece) * PieceBytes;

    /// <summary>Where a piece of the file ends in it.</summary>
    public long EndOf(int piece) => OffsetOf(piece) + LengthOf(piece);

    /// <summary>Bytes of a piece.</summary>
    public int LengthOf(int piece) =>
        IsParity(piece) ? ParityLength(NumberOf(piece)) : (int)Math.Min(PieceBytes, Length - OffsetOf(piece));

    /// <summary>Bytes of the longest piece of a group.</summary>
    public int ParityLength(int group) => (int)Math.Min(PieceBytes, Length - ((long)group * DataTrees * PieceBytes));

    /// <summary>The first block of a piece, among those of all pieces.</summary>
    public int FirstBlockOf(int piece)
    {
        if (!IsParity(piece))
        {
            return piece * BlocksOfPiece;
        }

        // Those of the last group may be shorter.
        int before = piece - Pieces,
            last = Math.Max(0, before - ((Groups - 1) * Code));
        return (int)Manifest.BlocksOf(Length, PieceBytes, BlockBytes)
            + ((before - last) * BlocksOfPiece)
            + (last * BlocksOf(ParityLength(Groups - 1)));
    }

    /// <summary>Where, in a piece of a length, the block ends that a byte is in.</summary>
    public int BlockEnd(int at, int length) => Math.Min(((at / BlockBytes) + 1) * BlockBytes, length);

    private int BlocksOf(int length) => (length + BlockBytes - 1) / BlockBytes;
}
