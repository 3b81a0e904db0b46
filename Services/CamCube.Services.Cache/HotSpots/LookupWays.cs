using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.HotSpots;

/// <summary>Where a read goes: to the closest of the roots of an item's k + 1 keys (HPDC §5.1). Loop only.</summary>
internal sealed class LookupWays(IServer server, ReplicaRules rules)
{
    private readonly int _rank = server.Shape.RankOf(server.Coordinate);

    /// <summary>
    /// The extra key to ask at; of equally close ones always the same for this server and item, and evenly chosen over
    /// all. False: the item's own root is to be asked.
    /// </summary>
    /// <param name="memId">The item's key.</param>
    /// <param name="clientKey">The client's key.</param>
    /// <param name="terms">What is asked.</param>
    /// <param name="closest">The key.</param>
    /// <param name="isHere">Whether this server is its root.</param>
    public bool TryChoose(
        Key memId,
        ReadOnlySpan<byte> clientKey,
        in CacheTerms terms,
        out Key closest,
        out bool isHere
    )
    {
        (closest, isHere) = (default, false);
        if (!rules.HasAny || !RequestRules.IsPlainRead(terms))
        {
            return false;
        }

        int replicas = rules.Of(clientKey),
            least = server.Topology.HopsTo(memId);
        int best = 0,
            ties = 1;
        ulong draw = CopyKeys.Mix(memId.Middle + (ulong)_rank);
        for (int i = 1; i <= replicas && least > 0; i++)
        {
            Key key = CopyKeys.Of(memId, i);
            int hops = server.Topology.HopsTo(key);
            ties =
                hops == least ? ties + 1
                : hops < least ? 1
                : ties;
            if (hops >= 0 && (hops < least || (hops == least && draw % (ulong)ties == 0)))
            {
                (closest, least, best) = (key, hops, i);
            }
        }

        isHere = best > 0 && least == 0;
        return best > 0;
    }
}
