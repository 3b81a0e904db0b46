namespace CamCube.Services.Distribution.Pieces;

/// <summary>A piece on its way through a server: filled by the pull, block by block, written to disk if the server
/// keeps it, read by children meanwhile.</summary>
/// <param name="bytes">Room for a piece.</param>
internal sealed class PieceSlot(byte[] bytes)
{
    /// <summary>Room for a piece.</summary>
    public byte[] Bytes { get; } = bytes;

    /// <summary>The piece's number in its stripe; less than 0: none.</summary>
    public int Number { get; private set; } = -1;

    /// <summary>Bytes of the piece.</summary>
    public int Length { get; private set; }

    /// <summary>Bytes of it that are here.</summary>
    public int Filled { get; set; }

    /// <summary>Bytes of it whose sums are right: these go on.</summary>
    public int Checked { get; set; }

    /// <summary>All of it is here, and right.</summary>
    public bool IsWhole => Number >= 0 && Checked == Length;

    /// <summary>Who gave it; null: more than one, each a part, or it was made of others.</summary>
    public Coordinate? Giver { get; private set; }

    /// <summary>The disk has its bytes.</summary>
    public bool IsBeingStored { get; set; }

    /// <summary>It becomes that of a piece.</summary>
    public void Begin(int number, int length) => (Number, Length, Filled, Checked) = (number, length, 0, 0);

    /// <summary>Somebody gave the next block.</summary>
    public void Note(Coordinate? giver) => Giver = Checked == 0 || Giver == giver ? giver : null;

    /// <summary>It becomes empty.</summary>
    public void Clear() => Begin(-1, 0);
}
