namespace CamCube.Tool.Checks;

/// <summary>What became of a packet on a way through a method.</summary>
/// <param name="IsRented">It is this method's, to be given back.</param>
/// <param name="How">"sent" or "released": it is this method's no more; else null.</param>
/// <param name="Offset">Where it was given away.</param>
internal readonly record struct PacketFate(bool IsRented, string? How, int Offset)
{
    /// <summary>It is this method's.</summary>
    public static PacketFate Rented { get; } = new(true, null, 0);
}
