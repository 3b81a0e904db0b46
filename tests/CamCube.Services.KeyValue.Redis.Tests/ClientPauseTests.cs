using CamCube.Services.KeyValue.Redis.Settings;
using CamCube.Services.KeyValue.Redis.Work;
using CamCube.Testing;

namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>CLIENT PAUSE: a crowd stands still, and goes on as if nothing had been; in the loop and on pool
/// threads.</summary>
public sealed class ClientPauseTests
{
    private const int Crowd = 20;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_crowd_stands_still_until_the_clock_says_so_and_who_is_gone_by_then_has_done_nothing(bool onPool)
    {
        var clock = new TestClock();
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), null, 3, onPool, clock);
        ClientPause pause = bed.FrontEnds[0].Context!.Pause;
        using RedisClient asker = await bed.ConnectAsync();
        using RedisClient elsewhere = await bed.ConnectAsync(1);
        RedisClient[] crowd = await Task.WhenAll(Enumerable.Range(0, Crowd).Select(_ => bed.ConnectAsync()));
        string[] ids = await Task.WhenAll(crowd.Select(static one => one.AskAsync("CLIENT ID")));
        Assert.Equal("+OK", await asker.AskAsync("CLIENT PAUSE 10000"));
        for (int i = 0; i < Crowd; i++)
        {
            await crowd[i].SendAsync($"INCR {{t}}n\r\nINCR {{t}}own{i}\r\nGET {{t}}own{i}\r\n");
        }

        await RedisBed.EventuallyAsync(() => pause.HeldCount == Crowd);

        // Clients of other servers go on. Of those that stand still, one is closed, one says that it sends no more, one
        // closes, and one is reset.
        Assert.Equal(":1", await elsewhere.AskAsync("INCR {t}n"));
        Assert.Equal(":1", await asker.AskAsync($"CLIENT KILL ID {ids[0][1..]}"));
        crowd[1].EndOutput();
        crowd[2].Dispose();
        crowd[3].Reset();
        crowd[3].Dispose();
        await RedisBed.EventuallyAsync(() => pause.HeldCount == Crowd - 4);
        Assert.Equal("", await crowd[0].ReadAsync());
        Assert.Equal("", await crowd[1].ReadAsync());
        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Sessions.Count == Crowd - 3);

        // It is made longer, and never shorter.
        clock.Advance(TimeSpan.FromMilliseconds(9_999));
        Assert.Equal("+OK", await asker.AskAsync("CLIENT PAUSE 5000 WRITE"));
        clock.Advance(TimeSpan.FromMilliseconds(4_999));
        Assert.Equal("+OK", await asker.AskAsync("CLIENT PAUSE 0"));
        Assert.Equal(Crowd - 4, pause.HeldCount);
        Assert.Equal(":1", await elsewhere.AskAsync("DEL {t}n"));
        clock.Advance(TimeSpan.FromMilliseconds(1));
        for (int i = 4; i < Crowd; i++)
        {
            Assert.StartsWith(":", await crowd[i].ReadAsync());
            Assert.Equal(":1", await crowd[i].ReadAsync());
            Assert.Equal("\"1\"", await crowd[i].ReadAsync());
        }

        Assert.Equal($"\"{Crowd - 4}\"", await elsewhere.AskAsync("GET {t}n"));
        Assert.Equal("[nil nil nil nil]", await asker.AskAsync("MGET {t}own0 {t}own1 {t}own2 {t}own3"));
        Assert.Equal((PauseKind.None, 0), (pause.Kind, pause.HeldCount));
        Array.ForEach(crowd, static one => one.Dispose());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_pause_of_writes_lets_others_read_and_ends_by_word(bool onPool)
    {
        await using RedisBed bed = await RedisBed.StartAsync(isPooled: onPool, time: new TestClock());
        ClientPause pause = bed.FrontEnds[0].Context!.Pause;
        using RedisClient asker = await bed.ConnectAsync();
        using RedisClient writer = await bed.ConnectAsync();
        using RedisClient executor = await bed.ConnectAsync();
        using RedisClient reader = await bed.ConnectAsync();
        Assert.Equal("+OK", await asker.AskAsync("SET {t}k old"));
        await executor.SendAsync("MULTI\r\nSET {t}k new\r\nGET {t}k\r\n");
        Assert.Equal("+OK", await executor.ReadAsync());
        Assert.Equal("+QUEUED", await executor.ReadAsync());
        Assert.Equal("+QUEUED", await executor.ReadAsync());
        Assert.Equal("+OK", await asker.AskAsync("CLIENT PAUSE 3600000 write"));
        await executor.SendAsync("EXEC\r\n");
        await writer.SendAsync("GET {t}k\r\nAPPEND {t}k er\r\nGET {t}k\r\n");
        Assert.Equal("\"old\"", await writer.ReadAsync());
        await RedisBed.EventuallyAsync(() => pause.HeldCount == 2);
        await reader.SendAsync("MULTI\r\nGET {t}k\r\nEXEC\r\n");
        Assert.Equal("+OK", await reader.ReadAsync());
        Assert.Equal("+QUEUED", await reader.ReadAsync());
        Assert.Equal("[\"old\"]", await reader.ReadAsync());
        Assert.Contains("paused_actions:write", await reader.AskAsync("INFO clients"), StringComparison.Ordinal);

        // Now of all: only this ends it before its time, and who says it need not wait.
        Assert.Equal("+OK", await asker.AskAsync("CLIENT PAUSE 1 ALL"));
        await reader.SendAsync("PING\r\nQUIT\r\n");
        await RedisBed.EventuallyAsync(() => pause.HeldCount == 3);
        Assert.Equal("+OK", await asker.AskAsync("CLIENT UNPAUSE"));
        Assert.Equal("[+OK \"new\"]", await executor.ReadAsync());
        Assert.StartsWith(":", await writer.ReadAsync());
        Assert.EndsWith("er\"", await writer.ReadAsync());
        Assert.Equal("+PONG", await reader.ReadAsync());
        Assert.Equal("+OK", await reader.ReadAsync());
        Assert.Equal("+OK", await asker.AskAsync("CLIENT UNPAUSE"));
        Assert.Equal("+OK", await asker.AskAsync("SET {t}k last"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_front_end_that_ends_does_not_wait_for_a_pause_nor_do_what_was_held(bool onPool)
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), null, 3, onPool, new TestClock());
        RedisClient[] crowd = await Task.WhenAll(Enumerable.Range(0, Crowd).Select(_ => bed.ConnectAsync()));
        using RedisClient elsewhere = await bed.ConnectAsync(1);
        Assert.Equal("+OK", await crowd[0].AskAsync("CLIENT PAUSE 1000000"));
        foreach (RedisClient one in crowd)
        {
            await one.SendAsync("INCR {t}n\r\n");
        }

        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Pause.HeldCount == Crowd);
        await bed.FrontEnds[0].DrainAsync(CancellationToken.None).AsTask().WaitAsync(RedisBed.Generous);
        foreach (RedisClient one in crowd)
        {
            Assert.Equal("", await one.ReadAsync());
            one.Dispose();
        }

        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Pause.HeldCount == 0);
        Assert.Equal("nil", await elsewhere.AskAsync("GET {t}n"));
    }

    [Fact]
    public async Task Bad_terms_and_users_without_rights_are_told_why()
    {
        string file = Path.GetTempFileName();
        await File.WriteAllTextAsync(file, "writer:write:w\nroot:control:top\n");
        var options = new RedisFrontEndOptions { UserFile = file, MaxPause = 10 };
        await using RedisBed bed = await RedisBed.StartAsync(options: options, time: new TestClock());
        using RedisClient root = await bed.ConnectAsync();
        using RedisClient writer = await bed.ConnectAsync();
        Assert.Equal("+OK", await root.AskAsync("AUTH root top"));
        Assert.Equal("+OK", await writer.AskAsync("AUTH writer w"));
        Assert.Equal("-NOPERM this user may not stop other clients", await writer.AskAsync("CLIENT PAUSE 1"));
        Assert.Equal("-NOPERM this user may not stop other clients", await writer.AskAsync("CLIENT UNPAUSE"));
        foreach (
            (string terms, string answer) in new[]
            {
                ("x", "-ERR timeout is not an integer or out of range"),
                ("1.5", "-ERR timeout is not an integer or out of range"),
                ("9223372036854775808", "-ERR timeout is not an integer or out of range"),
                ("-1", "-ERR timeout is negative"),
                ("10001", "-ERR a pause lasts 10 s at most (setting MaxPause)"),
                ("9223372036854775807 WRITE", "-ERR a pause lasts 10 s at most (setting MaxPause)"),
                ("1 SOME", "-ERR CLIENT PAUSE mode must be WRITE or ALL"),
            }
        )
        {
            Assert.Equal(answer, await root.AskAsync($"CLIENT PAUSE {terms}"));
        }

        Assert.StartsWith("-ERR unknown subcommand", await root.AskAsync("CLIENT PAUSE 1 WRITE now"));
        Assert.Equal("+PONG", await writer.AskAsync("PING"));
        Assert.Equal("+OK", await root.AskAsync("CLIENT PAUSE 10000"));
        await writer.SendAsync("PING\r\n");
        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Pause.HeldCount == 1);
        Assert.Equal("+OK", await root.AskAsync("CLIENT UNPAUSE"));
        Assert.Equal("+PONG", await writer.ReadAsync());
        File.Delete(file);
    }
}
