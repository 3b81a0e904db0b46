namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>A cache without items that does something when it is asked for the key "act": in the middle of a client's
/// turn, on the loop.</summary>
/// <param name="act">What it does.</param>
[CamCubeService(0x7F12, "acting")]
internal sealed class ActingCache(Action act) : CamCubeService, ICache
{
    public int MaxValueLength => 1_000;

    public bool TryExecute(
        in CacheTerms terms,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        ICacheValueReader? reader,
        out CacheReply reply
    )
    {
        if (key.SequenceEqual("act"u8))
        {
            act();
        }

        reply = new CacheReply(CacheStatus.NotFound);
        return true;
    }

    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request) => throw new NotSupportedException();

    public ValueTask<CacheReply> FlushAllAsync(long delaySeconds) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube) =>
        throw new NotSupportedException();

    public override Verdict OnPacket(in HopContext hop, Packet packet) => throw new NotSupportedException();
}
