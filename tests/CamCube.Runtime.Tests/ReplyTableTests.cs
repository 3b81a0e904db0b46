using CamCube.Testing;

namespace CamCube.Runtime.Tests;

public sealed class ReplyTableTests
{
    private static readonly TimeSpan Long = TimeSpan.FromSeconds(1);

    [Fact]
    public void Ids_are_never_0_and_never_the_same_while_a_late_answer_could_meet_them()
    {
        Script script = new();
        using TestCube cube = One(script);
        var table = new ReplyTable<int>(script[0].Server);
        var seen = new HashSet<ulong> { 0 };
        for (int round = 0; round < 1_000; round++)
        {
            Replies<int>[] open = [.. Enumerable.Range(0, 1 + (round % 7)).Select(_ => table.Ask())];
            Assert.Equal(open.Length, table.Open);
            Assert.All(open, q => Assert.True(seen.Add(q.Id), $"{q.Id:x}"));
            Array.ForEach(open, q => q.Dispose());
        }

        Assert.Equal(0, table.Open);
    }

    [Fact]
    public void A_place_is_used_again_only_after_many_others_so_that_its_ids_do_not_come_round_soon()
    {
        Script script = new();
        using TestCube cube = One(script);
        var table = new ReplyTable<int>(script[0].Server);
        var last = new Dictionary<ulong, int>();
        for (int i = 0; i < 10_000; i++)
        {
            using Replies<int> question = table.Ask();
            ulong place = question.Id & 0xFFFF;
            Assert.True(
                i - last.GetValueOrDefault(place, -1_000) >= 64,
                $"place {place} again after {i - last.GetValueOrDefault(place)}"
            );
            last[place] = i;
        }
    }

    [Fact]
    public void The_question_after_the_last_that_fits_is_refused_and_not_a_fault()
    {
        Script script = new();
        using TestCube cube = One(script);
        var table = new ReplyTable<int>(script[0].Server);
        var open = new List<Replies<int>>();
        while (table.TryAsk(out Replies<int>? question))
        {
            open.Add(question);
        }

        Assert.Equal((ReplyTable<int>.MostOpen, ReplyTable<int>.MostOpen), (open.Count, table.Open));
        Assert.Equal(open.Count, open.Select(q => q.Id).Distinct().Count());
        Assert.Contains(
            "TryAsk",
            Assert.Throws<InvalidOperationException>(table.Ask).Message,
            StringComparison.Ordinal
        );

        // One that ends makes room for one, under another id.
        ulong old = open[70].Id;
        open[70].Dispose();
        Assert.True(table.TryAsk(out Replies<int>? next));
        Assert.False(table.TryAsk(out _));
        Assert.NotEqual(old, next.Id);
        Assert.False(table.TryAdd(old, 1));
        Assert.True(table.TryAdd(next.Id, 1));
    }

    [Fact]
    public void Answers_to_closed_questions_earlier_runs_and_nobody_are_discarded()
    {
        Script script = new();
        using TestCube cube = One(script);
        var discarded = new List<int>();
        var table = new ReplyTable<int>(script[0].Server, maxReplies: 2, discarded.Add);
        Replies<int> question = table.Ask();
        ulong id = question.Id;
        Assert.True(table.IsOpen(id));
        Assert.True(table.TryAdd(id, 1));
        Assert.True(table.TryAdd(id, 2));
        Assert.False(table.TryAdd(id, 3));
        Assert.False(table.TryAdd(0, 4));
        Assert.False(table.TryAdd(id ^ (1UL << 16), 5));
        Assert.False(table.TryAdd(id ^ (1UL << 63), 6));
        Assert.False(table.TryAdd(id | 0xFFFF, 7));
        Assert.Equal([3, 4, 5, 6, 7], discarded);
        Assert.Equal((1, 2), (question[0], question[1]));
        Assert.Equal(2, question.Take(1));
        question.Dispose();
        question.Dispose();
        Assert.False(table.TryAdd(id, 8));
        Assert.Equal([3, 4, 5, 6, 7, 1, 0, 8], discarded);

        Replies<int> next = table.Ask();
        Assert.NotEqual(id, next.Id);
        Assert.Equal(0, next.Count);
        Assert.False(table.TryAdd(id, 9));
        cube.Kill(default);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.Revive(default);
        var later = new ReplyTable<int>(script[0].Server);
        Assert.NotEqual(id >> 40, later.Ask().Id >> 40);
        Assert.False(later.TryAdd(id, 10));
    }

    [Fact]
    public void A_question_is_awaited_for_a_quorum_and_then_for_stragglers()
    {
        Script script = new();
        using TestCube cube = One(script);
        IServer server = script[0].Server;
        var table = new ReplyTable<string>(server, maxReplies: 5);
        Replies<string> question = table.Ask();
        server.Loop.Run(async () =>
        {
            script.Log.Add($"{await question.WaitAsync(3, Long)} {question.Count} at {server.NowNanos / 1_000_000}");
            script.Log.Add($"{await question.WaitAsync(2, Long)} {question.Count}");
            WaitResult third = await question.WaitAsync(5, TimeSpan.FromMilliseconds(3));
            script.Log.Add($"{third} {question.Count} at {server.NowNanos / 1_000_000}");
            script.Log.Add($"{await question.WaitAsync(5, Long)} {question.Count} at {server.NowNanos / 1_000_000}");
            question.Clear();
            script.Log.Add($"{await question.WaitAsync(1, TimeSpan.FromMilliseconds(1))} {question.Count}");
        });
        for (int i = 1; i <= 4; i++)
        {
            cube.Advance(TimeSpan.FromMilliseconds(1));
            table.TryAdd(question.Id, $"{i}");
        }

        cube.Advance(TimeSpan.FromMilliseconds(4));
        table.TryAdd(question.Id, "5");
        cube.Advance(TimeSpan.FromMilliseconds(4));
        Assert.Equal(["Enough 3 at 3", "Enough 3", "TimedOut 4 at 6", "Enough 5 at 8", "TimedOut 0"], script.Log);
    }

    [Fact]
    public void Waits_end_as_stopped_when_the_service_stops_and_answers_that_own_packets_leak_nothing()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        _ = cube.Cube;
        IServer server = script[0].Server;
        var table = new ReplyTable<Packet>(server, 4, server.Packets.Release);
        Replies<Packet> question = table.Ask();
        script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            self.Server.Packets.Take(packet);
            table.TryAdd((ulong)packet.Header<long>(), packet);
            return Verdict.Taken;
        };
        foreach (ulong id in (ulong[])[question.Id, 12345, question.Id])
        {
            script[0].Launch(server.Coordinate, 100, (long)id);
        }

        server.Loop.Run(async () =>
        {
            script.Log.Add($"{await question.WaitAsync(4, Long)} {question.Count}");
            script.Log.Add($"{await question.WaitAsync(4, Long)} {question.Count}");
            question.Dispose();
        });
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(2, question.Count);
        cube.Cube.RemoveService(0, new ServiceId(0x0300));
        Assert.Equal(["Stopped 2", "Stopped 2"], script.Log);
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_asks_again_and_again_gets_the_first_reply_with_what_it_owns_and_leaves_no_question_open()
    {
        Script script = new();
        using TestCube cube = One(script);
        IServer server = script[0].Server;
        var discarded = new List<string>();
        var table = new ReplyTable<string>(server, 2, discarded.Add);
        var asked = new Dictionary<int, List<ulong>>();
        using var cancel = new CancellationTokenSource();
        for (int who = 0; who < 5; who++)
        {
            int me = who;
            asked[me] = [];
            server.Loop.Run(async () =>
            {
                // The second is answered at its second attempt, the third at once while it sends, the fourth never, and
                // the fifth wants it no more.
                Reply<string> reply = await table.AskAsync(
                    id =>
                    {
                        asked[me].Add(id);
                        if (me == 2 || (me == 1 && asked[me].Count == 2))
                        {
                            table.TryAdd(id, $"{me}");
                            table.TryAdd(id, "another");
                        }
                    },
                    TimeSpan.FromMilliseconds(10),
                    attempts: 4,
                    me == 4 ? cancel.Token : default
                );
                script.Log.Add($"{me} {reply.Result} {reply.Value} {reply.Attempts} at {server.NowNanos / 1_000_000}");
            });
        }

        cube.Advance(TimeSpan.FromMilliseconds(5));
        table.TryAdd(asked[0][0], "0");
        cube.Advance(TimeSpan.FromMilliseconds(10));
        cancel.Cancel();
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(
            [
                "2 Enough 2 1 at 0",
                "0 Enough 0 1 at 5",
                "1 Enough 1 2 at 10",
                "4 Stopped  2 at 15",
                "3 TimedOut  4 at 40",
            ],
            script.Log
        );
        Assert.All(asked.Values, static ids => Assert.Single(ids.Distinct()));
        Assert.Equal(["another", "another"], discarded);
        Assert.Equal(0, table.Open);
    }

    [Fact]
    public void A_time_out_of_an_earlier_wait_does_not_end_a_later_one()
    {
        Script script = new();
        using TestCube cube = One(script);
        IServer server = script[0].Server;
        var table = new ReplyTable<int>(server, 2);
        server.Loop.Run(async () =>
        {
            using Replies<int> question = table.Ask();
            ValueTask<WaitResult> wait = question.WaitAsync(1, TimeSpan.FromMilliseconds(5));
            table.TryAdd(question.Id, 1);
            Assert.Equal(WaitResult.Enough, await wait);
            Assert.Equal(WaitResult.TimedOut, await question.WaitAsync(2, TimeSpan.FromMilliseconds(20)));
            script.Log.Add($"{server.NowNanos / 1_000_000}");
        });
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Empty(cube.Faults);
        Assert.Equal(["20"], script.Log);
    }

    [Fact]
    public void More_replies_than_a_question_keeps_cannot_be_waited_for()
    {
        Script script = new();
        using TestCube cube = One(script);
        var table = new ReplyTable<int>(script[0].Server, 2);
        Assert.Throws<ArgumentOutOfRangeException>(() =>
        {
            _ = table.Ask().WaitAsync(3, Long);
        });
        Assert.Throws<ArgumentOutOfRangeException>(() => new ReplyTable<int>(script[0].Server, 0));
    }

    private static TestCube One(Script script)
    {
        TestCube cube = new TestCube(1, 1, 1).Add(script.Define());
        _ = cube.Cube;
        return cube;
    }
}
