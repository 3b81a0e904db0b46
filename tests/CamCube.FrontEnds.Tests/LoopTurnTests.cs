using System.Runtime.Versioning;
using CamCube.FrontEnds.Settings;

namespace CamCube.FrontEnds.Tests;

/// <summary>What a server's loop does for its clients before it looks at its server again has a bound, however many
/// come at once and whatever they send; and nobody has a second turn before all had theirs.</summary>
[SupportedOSPlatform("linux")]
public sealed class LoopTurnTests
{
    private const int Crowd = 100;
    private const int ConnectionsPerTurn = 8;
    private const int AnswersPerTurn = 16;

    // Small enough that what is sent before anybody reads lies in the system.
    private const int Hostile = 3;
    private const int HostileLines = 2_000;

    [Fact]
    public async Task A_turn_is_short_whatever_a_crowd_sends_at_once_and_nobody_is_starved()
    {
        await using LineBed bed = await StartAsync();
        LineClient[] crowd = await ConnectAsync(bed, Crowd),
            hostile = await ConnectAsync(bed, Hostile);
        using LineClient breaker = await bed.ConnectAsync(),
            leaver = await bed.ConnectAsync();
        await breaker.AskAsync("hello\n", "hello\n");
        await leaver.AskAsync("hello\n", "hello\n");
        string[] many = [.. Enumerable.Range(0, Hostile).Select(h => Lines($"h{h}", HostileLines))];
        await bed.WhileHeldAsync(async () =>
        {
            bed.Said.Clear();
            for (int i = 0; i < Hostile; i++)
            {
                await hostile[i].SendAsync(many[i]);
            }

            for (int i = 0; i < Crowd; i++)
            {
                await crowd[i].SendAsync($"c{i}\n");
                if (i == Crowd / 2)
                {
                    // A fault in the middle, and one that is gone before its turn comes.
                    await breaker.SendAsync("break\n");
                    await leaver.SendAsync("left\nhalf");
                    leaver.Dispose();
                }
            }
        });
        for (int i = 0; i < Crowd; i++)
        {
            string own = $"c{i}\n";
            Assert.Equal(own, await crowd[i].ReceiveAsync(own.Length));
        }

        for (int i = 0; i < Hostile; i++)
        {
            Assert.Equal(many[i], await hostile[i].ReceiveAsync(many[i].Length));
        }

        await breaker.ExpectEndAsync();
        string[] said = [.. bed.Said];
        int lastOfCrowd = Array.FindLastIndex(said, static line => line[0] == 'c');
        for (int h = 0; h < Hostile; h++)
        {
            // One turn when it was first seen, and one for each time that it came to the head of the line.
            int before = said[..lastOfCrowd].Count(line => line == $"h{h}");
            Assert.InRange(before, 0, 3 * AnswersPerTurn);
        }

        AssertShortTurns(bed);
        Assert.Equal(["quiet: It breaks."], bed.Faults);
        Array.ForEach([.. crowd, .. hostile], static one => one.Dispose());
    }

    [Fact]
    public async Task Who_asks_for_what_takes_long_has_no_longer_turns_than_others()
    {
        await using LineBed bed = await StartAsync();
        LineClient[] crowd = await ConnectAsync(bed, Crowd),
            hostile = await ConnectAsync(bed, Hostile);
        string heavy = Lines("heavy", 200);
        await bed.WhileHeldAsync(async () =>
        {
            bed.Said.Clear();
            foreach (LineClient one in hostile)
            {
                await one.SendAsync(heavy);
            }

            for (int i = 0; i < Crowd; i++)
            {
                await crowd[i].SendAsync($"c{i}\n");
            }
        });
        foreach (LineClient one in hostile)
        {
            Assert.Equal(heavy, await one.ReceiveAsync(heavy.Length));
        }

        string[] said = [.. bed.Said];
        int lastOfCrowd = Array.FindLastIndex(said, static line => line[0] == 'c');
        Assert.InRange(said[..lastOfCrowd].Count(static line => line == "heavy"), 0, 3 * Hostile);
        AssertShortTurns(bed);
        Array.ForEach([.. crowd, .. hostile], static one => one.Dispose());
    }

    [Fact]
    public async Task Questions_that_end_all_at_once_are_answered_in_short_turns()
    {
        await using LineBed bed = await StartAsync();
        LineClient[] crowd = await ConnectAsync(bed, Crowd);
        for (int i = 0; i < Crowd; i++)
        {
            await crowd[i].AskAsync("ready\nwait all\n", "ready\n");
        }

        await bed.WhileHeldAsync(() =>
        {
            bed.WaitFor("wait all").SetResult(0);
            return Task.CompletedTask;
        });
        const string Expected = "wait all\n";
        for (int i = 0; i < Crowd; i++)
        {
            Assert.Equal(Expected, await crowd[i].ReceiveAsync(Expected.Length));
        }

        AssertShortTurns(bed);
        Assert.Empty(bed.Faults);
        Array.ForEach(crowd, static one => one.Dispose());
    }

    [Fact]
    public async Task A_crowd_that_does_not_read_goes_on_when_it_reads_though_others_send_all_the_time()
    {
        await using LineBed bed = await StartAsync(stallTimeout: 0);
        LineClient[] deaf = await ConnectAsync(bed, 4),
            busy = await ConnectAsync(bed, Crowd);

        // More than the system holds of what nobody reads.
        string line = new string('d', 60_000) + "\n";
        const int Lines = 200;
        Task[] sending = [.. deaf.Select(one => SendAllAsync(one, line, Lines))];
        using CancellationTokenSource enough = new();
        Task[] asking = [.. busy.Select((one, i) => AskOnAsync(one, $"b{i}\n", enough.Token))];
        for (int i = 0; i < Lines; i++)
        {
            foreach (LineClient one in deaf)
            {
                Assert.Equal(line, await one.ReceiveAsync(line.Length));
            }
        }

        await Task.WhenAll(sending);
        await enough.CancelAsync();
        await Task.WhenAll(asking);
        AssertShortTurns(bed);
        Array.ForEach([.. deaf, .. busy], static one => one.Dispose());
    }

    [Fact]
    public async Task A_crowd_ends_when_the_front_end_does()
    {
        await using LineBed bed = await StartAsync();
        LineClient[] crowd = await ConnectAsync(bed, Crowd);
        using LineClient waiting = await bed.ConnectAsync();
        await waiting.AskAsync("hello\nwait a\n", "hello\n");
        Task drained = bed.Server.DrainAsync(default).AsTask();
        foreach (LineClient one in crowd)
        {
            await one.ExpectEndAsync();
            one.Dispose();
        }

        Assert.False(drained.IsCompleted);
        bed.WaitFor("wait a").SetResult(0);
        Assert.Equal("wait a\n", await waiting.ReceiveAsync(7));
        await drained.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(0, bed.Server.Connections.Count);
        AssertNoErrors(bed);
    }

    private static void AssertShortTurns(LineBed bed)
    {
        (int clients, int answers) = bed.Loop.LongestTurn;
        Assert.InRange(clients, 1, ConnectionsPerTurn);
        Assert.InRange(answers, 1, (2 * AnswersPerTurn) - 1);
        AssertNoErrors(bed);
    }

    private static void AssertNoErrors(LineBed bed) => Assert.Empty(bed.Log.Errors);

    private static async Task<LineBed> StartAsync(int stallTimeout = 60)
    {
        var options = new ConnectionOptions { ConnectionsPerTurn = ConnectionsPerTurn, StallTimeout = stallTimeout };
        var bed = new LineBed(isInLoop: true, options, maxUnread: 1 << 20, AnswersPerTurn);
        await bed.StartAsync(isInLoop: true);
        return bed;
    }

    private static async Task<LineClient[]> ConnectAsync(LineBed bed, int count)
    {
        var clients = new LineClient[count];
        for (int i = 0; i < count; i++)
        {
            clients[i] = await bed.ConnectAsync();
            await clients[i].AskAsync("hello\n", "hello\n");
        }

        return clients;
    }

    private static string Lines(string line, int count) => string.Concat(Enumerable.Repeat(line + "\n", count));

    private static async Task SendAllAsync(LineClient client, string line, int count)
    {
        for (int i = 0; i < count; i++)
        {
            await client.SendAsync(line);
        }
    }

    private static async Task AskOnAsync(LineClient client, string line, CancellationToken enough)
    {
        while (!enough.IsCancellationRequested)
        {
            await client.AskAsync(line, line);
        }
    }
}
