using CamCube.Services.Cache.Requests;

namespace CamCube.Services.Cache.HotSpots;

/// <summary>Where a read goes: to the closest of the roots of an item's k + 1 keys (HPDC §5.1). Loop only.</summary>
internal sealed class LookupWays(IServer server, ReplicaRules rules)
{
    /// <summary>
    /// The extra key to ask at. False: the item's own root is as close as any, or there is nothing but it.
    /// </summary>
    /// <param name="memId">The item's key.</param>
    /// <param name="clientKey">The client's key.</param>
    /// <param name="terms">What is asked.</param>
    /// <param name="closest">The key.</param>
    /// <param name="isHere">Whether this server is its root.</param>
    public bool TryChoose(Key memId, ReadOnlySpan<byte> clientKey, in CacheTerms terms, out Key closest, out bool isHere)
    {
        (closest, isHere) = (default, false);
        if (!rules.HasAny || !RequestRules.IsPlainRead(terms))
        {
            return false;
        }

        int replicas = rules.Of(clientKey), least = server.Topology.HopsTo(memId);
        int best = 0;
        for (int i = 1; i <= replicas && least > 0; i++)
        {
            Key key = CopyKeys.Of(memId, i);
            int hops = server.Topology.HopsTo(key);
            if (hops >= 0 && hops < least)
            {
                (closest, least, best) = (key, hops, i);
            }
        }

        isHere = best > 0 && least == 0;
        return best > 0;
    }
}
