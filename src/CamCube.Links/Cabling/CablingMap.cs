namespace CamCube.Cabling;

/// <summary>Which server has which place, for life. Unchanging; any thread.</summary>
/// <param name="ClusterId">The cube.</param>
/// <param name="Shape">Its shape.</param>
/// <param name="Epoch">When and by whom it was made.</param>
/// <param name="MaxFrameLength">Largest frame that every cable carried then, with 14 bytes of Ethernet header.</param>
/// <param name="Servers">The servers by rank.</param>
public sealed record CablingMap(
    string ClusterId,
    TorusShape Shape,
    MapEpoch Epoch,
    int MaxFrameLength,
    IReadOnlyList<ServerId> Servers
)
{
    /// <summary>The place of a server, or null.</summary>
    public Coordinate? PlaceOf(ServerId server)
    {
        for (int rank = 0; rank < Servers.Count; rank++)
        {
            if (Servers[rank] == server)
            {
                return Shape.At(rank);
            }
        }

        return null;
    }
}
