namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>A cache without items that breaks when it is asked for the key "break".</summary>
[CamCubeService(0x7F10, "breaking")]
internal sealed class BreakingCache : CamCubeService, ICache
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
        if (key.SequenceEqual("break"u8))
        {
            throw new InvalidOperationException("It breaks.");
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
