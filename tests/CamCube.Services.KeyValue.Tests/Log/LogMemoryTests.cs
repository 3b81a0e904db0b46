using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>What a log keeps in memory is claimed, and what it may not claim is back-pressure.</summary>
public sealed class LogMemoryTests
{
    private static readonly LogOptions Options = new() { SegmentBytes = 4 << 20, BufferBytes = 1 << 20 };

    [Fact]
    public void A_log_claims_what_it_has_and_gives_it_back()
    {
        using var stage = new LogStage(Options);
        IServerMemory memory = stage.Cube.ServerOf<LogModel>(0).Memory;
        stage.Open();
        long begin = memory.Claimed;
        Assert.Equal((begin, true), (stage.Log.Memory.Claimed, begin < 1 << 20));
        for (int i = 0; i < 200; i++)
        {
            Assert.Equal(LogAnswer.Taken, stage.Model.Write($"key {i}", 4_000));
        }

        Assert.InRange(memory.Claimed - begin, 2 * 800_000, 3 * (1 << 20));
        stage.Settle();
        long full = memory.Claimed;
        for (int round = 0; round < 20; round++)
        {
            stage.Write($"key {round}", 4_000);
            stage.Settle();
        }

        Assert.InRange(memory.Claimed, full, full + 16_384);
        stage.Cube.Shutdown(0);
        stage.Cube.Revive(0);
        Assert.Equal(0, stage.Cube.ServerOf<LogModel>(0).Memory.Claimed);
    }

    [Fact]
    public void Without_memory_a_log_is_not_opened_and_says_why()
    {
        using var stage = new LogStage(Options, memory: 100_000);
        LogOpening opening = stage.Open();
        Assert.Equal(LogState.Unreadable, opening.State);
        Assert.Contains("memory", opening.Words, StringComparison.Ordinal);
        Assert.Equal(0, stage.Cube.ServerOf<LogModel>(0).Memory.Claimed);
    }

    [Fact]
    public void With_little_memory_appends_wait_and_all_of_them_are_synced_in_the_end()
    {
        using var stage = new LogStage(Options, memory: 1_200_000);
        stage.Open();
        int taken = 0;
        while (stage.Model.Write($"key {taken}", 3_000) == LogAnswer.Taken)
        {
            taken++;
        }

        Assert.InRange(taken, 5, 150);
        stage.Settle();
        for (int i = 0; i < 300; i++)
        {
            Assert.Equal(LogAnswer.Taken, stage.Write($"key {i}", 3_000));
        }

        stage.Settle();
        Assert.True(stage.Model.Refused > 1);
        Assert.InRange(stage.Log.Memory.Claimed, 1, 1_200_000);
        stage.Crash();
        stage.Check();
        Assert.Equal(300, stage.Model.Index.Count);
    }

    [Fact]
    public void Filters_that_find_no_memory_hold_back_puts_and_not_deletes_until_there_is_some()
    {
        using var stage = new LogStage(Options, memory: 1_100_000);
        stage.Open();
        IServerMemory memory = stage.Cube.ServerOf<LogModel>(0).Memory;
        stage.Write("key", 10);
        stage.Settle();
        Assert.True(memory.TryClaim("others", memory.Room, out IMemoryClaim? others));
        int taken = 0;
        while (taken < 100_000 && stage.Write($"key {taken}", 10, LogUse.Needed) == LogAnswer.Taken)
        {
            taken++;
            if (taken % 50 == 0)
            {
                stage.Settle();
                if (stage.Model.Write("a put", 10, LogUse.Put) == LogAnswer.Busy)
                {
                    break;
                }
            }
        }

        Assert.InRange(taken, 50, 5_000);
        Assert.Equal(LogAnswer.Taken, stage.Model.Write("key 1", -1, LogUse.Needed));
        others.Release();
        Assert.Equal(LogAnswer.Taken, stage.Model.Write("a put", 10, LogUse.Put));
        stage.Settle();
        stage.Crash();
        stage.Check();
    }
}
