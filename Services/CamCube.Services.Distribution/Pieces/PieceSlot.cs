namespace CamCube.Services.Distribution.Pieces;

/// <summary>A piece on its way through a member: filled by the pull, written to disk, read by children
/// meanwhile.</summary>
/// <param name="bytes">Room for a piece.</param>
internal sealed class PieceSlot(byte[] bytes)
{
    /// <summary>Room for a piece.</summary>
    public byte[] Bytes { get; } = bytes;

    /// <summary>The piece's number in its stripe; less than 0: none.</summary>
    public int Number { get; set; } = -1;

    /// <summary>Bytes of it that are here.</summary>
    public int Filled { get; set; }
}
