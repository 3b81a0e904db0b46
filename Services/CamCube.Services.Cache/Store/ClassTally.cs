namespace CamCube.Services.Cache.Store;

/// <summary>What is counted per size class, by the class of an item's first chunk.</summary>
internal struct ClassTally
{
    public long Items;
    public long Requested;
    public long GetHits;
    public long TouchHits;
    public long SetCommands;
    public long DeleteHits;
    public long IncrHits;
    public long DecrHits;
    public long CasHits;
    public long CasBadval;
    public long Evicted;
    public long EvictedNonzero;
    public long EvictedUnfetched;
    public long ExpiredUnfetched;
    public long Reclaimed;
    public long OutOfMemory;
    public uint EvictedSeconds;
}
