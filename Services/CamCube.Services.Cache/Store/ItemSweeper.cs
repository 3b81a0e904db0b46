namespace CamCube.Services.Cache.Store;

/// <summary>Looks for what is of ended groups or expired, a bounded number of chunks at a time, through all memory,
/// round and round. Loop only.</summary>
internal sealed class ItemSweeper(ItemStore store, GroupNumbers groups, ItemWalk walk)
{
    /// <summary>Looks at so many chunks, as long as there is something to look for. Returns how many items it
    /// removed.</summary>
    public (int Ended, int Expired) Look(int most, uint now)
    {
        (int ended, int expired) = (0, 0);
        for (int i = 0; i < most && (store.HasExpiring || store.HasEnded); i++)
        {
            uint item = walk.Next(out bool endsRound);
            if (item != 0 && store.IsEnded(item))
            {
                store.RemoveEnded(item);
                ended++;
            }
            else if (item != 0 && ItemExpiry.IsOver(store[item].Expires, now))
            {
                store.RemoveExpired(item);
                expired++;
            }

            if (endsRound)
            {
                groups.EndRound();
            }
        }

        return (ended, expired);
    }
}
