namespace CamCube.Messaging.Pieces;

/// <summary>How a message is cut: pieces of one length and a last one with the rest; an empty message has one empty
/// piece.</summary>
internal readonly record struct PieceShape(int Length, int PieceLength)
{
    /// <summary>Pieces of one message: two bytes of index.</summary>
    public const int MaxPieces = ushort.MaxValue + 1;

    /// <summary>How many pieces.</summary>
    public int Count => Length <= PieceLength ? 1 : (int)(((long)Length + PieceLength - 1) / PieceLength);

    /// <summary>Where a piece begins in the message.</summary>
    public int OffsetOf(int piece) => piece * PieceLength;

    /// <summary>Bytes of a piece.</summary>
    public int LengthOf(int piece) => Math.Min(PieceLength, Length - OffsetOf(piece));

    /// <summary>Reads the shape from a piece and checks that this piece fits it. No input makes it throw.</summary>
    public static bool TryRead(in MessageHeader header, int bodyLength, int maxLength, out PieceShape shape)
    {
        shape = default;
        if (header.Length > (uint)maxLength || (header.PieceLength == 0 && header.Length > 0))
        {
            return false;
        }

        shape = new PieceShape((int)header.Length, header.PieceLength);
        int count = shape.Count;
        return count <= MaxPieces && header.Piece < count && shape.LengthOf(header.Piece) == bodyLength;
    }
}
