namespace CamCube.Services.Cache.Tests.Memcached;

/// <summary>A cache without items that stands still, with its loop, when it is asked for the key "pause": then something can come in the middle
/// of a turn.</summary>
/// <param name="pauses">Released when it stands still.</param>
/// <param name="goesOn">What it waits for then.</param>
[CamCubeService(0x7F12, "pausing")]
internal sealed class PausingCache(SemaphoreSlim pauses, SemaphoreSlim goesOn) : CamCubeService, ICache
{
    public int MaxValueLength => 1_000;

    public bool TryExecute(
        in CacheTerms terms, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ICacheValueReader? reader, out CacheReply reply)
    {
        if (key.SequenceEqual("pause"u8))
        {
            pauses.Release();
            Assert.True(goesOn.Wait(LoopBed.TimeOut));
        }

        reply = new CacheReply(CacheStatus.NotFound);
        return true;
    }

    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request) => throw new NotSupportedException();

    public ValueTask<CacheReply> FlushAllAsync(long delaySeconds) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube) => throw new NotSupportedException();

    public override Verdict OnPacket(in HopContext hop, Packet packet) => throw new NotSupportedException();
}
