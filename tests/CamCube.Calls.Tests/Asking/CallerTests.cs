using System.Runtime.InteropServices;
using CamCube.Calls.Tests.Ledgers;

namespace CamCube.Calls.Tests.Asking;

/// <summary>One call at a time: what goes where, and what comes back.</summary>
public sealed class CallerTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Fact]
    public void Every_server_adds_at_every_root_once()
    {
        using var cube = new LedgerCube(3, 2, 2);
        for (int root = 0; root < cube.Cube.Shape.Count; root++)
        {
            Key key = cube.KeyAt(cube.Cube.Shape.At(root));
            for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
            {
                LedgerReply reply = cube.Cube.Await(new ValueTask<LedgerReply>(cube.Begin(rank, key)));
                int hops = cube.Cube.Shape.Distance(cube.Cube.Shape.At(rank), cube.Cube.Shape.At(root));
                Assert.Equal(new LedgerReply(LedgerStatus.Done, rank + 1, hops), reply);
                Assert.Equal(rank + 1, cube.Cube.Await(cube[rank].LookAsync(key)).Sum);
            }
        }

        Assert.Equal((144, 0, 0), cube.Settle());
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(LedgerKind.Sum)]
    [InlineData(LedgerKind.Add)]
    public void A_lost_packet_is_asked_for_again_and_nothing_is_done_twice(LedgerKind lost)
    {
        using var cube = new LedgerCube(2, 1, 1);
        Key key = cube.KeyAt(B);
        Assert.Equal(1, cube.Cube.Await(new ValueTask<LedgerReply>(cube.Begin(0, key))).Sum);
        int left = 2;
        cube.Cube.Lose = (_, _, packet) =>
            packet.Service.Value == 0x0779 && packet.Header<LedgerHeader>().Kind == lost && left-- > 0;
        LedgerReply reply = cube.Cube.Await(new ValueTask<LedgerReply>(cube.Begin(0, key)));
        Assert.Equal((LedgerStatus.Done, 2L), (reply.Status, reply.Sum));
        Assert.Equal(2, cube[0].Retries.Value - cube[0].Refusals.Value);
        cube.Settle();
        cube.AssertQuiet();
    }

    [Fact]
    public void A_change_waits_at_its_root_while_that_is_busy_here_and_there()
    {
        using var cube = new LedgerCube(2, 1, 1);
        Key key = cube.KeyAt(B);
        cube[B].BeBusy(TimeSpan.FromMilliseconds(30));
        Task<LedgerReply> there = cube.Begin(0, key),
            here = cube.Begin(1, key);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.Equal((false, false, 0L), (there.IsCompleted, here.IsCompleted, cube[B].Done));
        Assert.Equal(0, cube.Cube.Await(cube[A].LookAsync(key)).Sum);
        cube.Settle();
        Assert.Equal(
            (LedgerStatus.Done, LedgerStatus.Done),
            (LedgerCube.Ended(there).Status, LedgerCube.Ended(here).Status)
        );
        Assert.Equal((1L, 2L), (LedgerCube.Ended(there).Sum, LedgerCube.Ended(here).Sum));
        cube.AssertQuiet();
    }

    [Fact]
    public void What_waited_beyond_its_deadline_is_not_done()
    {
        using var cube = new LedgerCube(2, 1, 1);
        Key key = cube.KeyAt(B);
        Task<LedgerReply> first = cube.Begin(0, key);
        cube.Settle();
        cube[B].BeBusy(TimeSpan.FromSeconds(4));
        Task<LedgerReply> late = cube.Begin(0, key);
        cube.Cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(LedgerStatus.Unknown, LedgerCube.Ended(late).Status);
        Assert.Equal((long)CallFailure.TimedOut, LedgerCube.Ended(late).Sum);
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal((true, 1L), (first.IsCompleted, cube[B].Done));
        cube.Settle();
        cube.AssertQuiet();
    }

    [Fact]
    public void What_a_busy_root_forgot_nobody_can_say_any_more()
    {
        using var cube = new LedgerCube(2, 1, 1, remembered: 1);
        Key key = cube.KeyAt(B);
        cube.Begin(0, key);
        cube.Settle();
        cube.Cube.Lose = (_, _, packet) =>
            packet.Service.Value == 0x0779 && packet.Header<LedgerHeader>().Kind == LedgerKind.Sum;
        Task<LedgerReply> lost = cube.Begin(0, key),
            other = cube.Begin(0, key);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(3, cube[B].Done);
        cube.Cube.Lose = null;
        cube.Settle();
        Assert.Equal(LedgerStatus.Unknown, LedgerCube.Ended(lost).Status);
        Assert.Equal((long)CallFailure.Unknown, LedgerCube.Ended(lost).Sum);
        Assert.Equal(LedgerStatus.Done, LedgerCube.Ended(other).Status);

        // A repeatable one takes another number.
        cube.Cube.Lose = (_, _, packet) =>
            packet.Service.Value == 0x0779 && packet.Header<LedgerHeader>().Kind == LedgerKind.Sum;
        Task<LedgerReply> repeatable = cube[A].AddAsync(key, -1, isRepeatable: true).AsTask();
        other = cube.Begin(0, key);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        cube.Cube.Lose = null;
        cube.Settle();
        cube.Cube.AwaitUntil(() => repeatable.IsCompleted);
        Assert.Equal(LedgerStatus.Done, LedgerCube.Ended(repeatable).Status);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_long_change_carries_its_bytes_only_to_a_run_that_is_known()
    {
        using var cube = new LedgerCube(2, 1, 1);
        Key key = cube.KeyAt(B);
        long bytes = 0;
        cube.Cube.Lose = (_, _, packet) =>
        {
            bool isLong =
                packet.Service.Value == 0x0779
                && packet.Header<LedgerHeader>() is { Kind: LedgerKind.Add, Message.Length: > LedgerHead.Size };
            bytes += isLong ? packet.Body.Length : 0;
            return false;
        };
        Task<LedgerReply> running = cube.Begin(0, key, new byte[100_000]);
        cube.Settle();
        Assert.Equal(LedgerStatus.Done, LedgerCube.Ended(running).Status);
        Assert.InRange(bytes, 100_000, 110_000);
        cube.AssertQuiet();
    }

    [Fact]
    public void Answers_of_another_key_of_another_attempt_or_of_no_open_call_are_not_taken()
    {
        using var cube = new LedgerCube(3, 1, 1);
        Coordinate foreign = new(2, 0, 0);
        Key key = cube.KeyAt(B);
        cube.Begin(0, key);
        cube.Settle();
        ulong question = 0;
        cube.Cube.Lose = (_, _, packet) =>
        {
            if (packet.Service.Value == 0x0779 && packet.Header<LedgerHeader>().Kind == LedgerKind.Add)
            {
                question = packet.Header<LedgerHeader>().Question;
                return true;
            }

            return false;
        };
        Task<LedgerReply> running = cube.Begin(0, key);
        cube.Cube.AwaitUntil(() => question != 0);
        var sum = new SumHead { Sum = 77 };
        ReadOnlySpan<byte> answer = MemoryMarshal.AsBytes(new ReadOnlySpan<SumHead>(in sum)),
            refusal = new byte[RefusalHead.Size];
        foreach (byte attempt in new byte[] { 0, 1, 2, 255 })
        {
            // Another key; and a question that was never asked.
            cube[foreign].SendRaw(Whole(LedgerKind.Sum, cube.KeyAt(A), question, attempt, answer), answer, A);
            cube[foreign].SendRaw(Whole(LedgerKind.Sum, key, question + 1, attempt, answer), answer, A);
            cube[foreign].SendRaw(Whole(LedgerKind.Refusal, key, ~question, attempt, refusal), refusal, A);
            cube.Cube.Advance(TimeSpan.FromMicroseconds(200));
        }

        long refused = cube[A].Refusals.Value;
        for (int attempt = 2; attempt < 256; attempt++)
        {
            LedgerHeader header = Whole(LedgerKind.Refusal, key, question, (byte)attempt, refusal);
            cube[foreign].SendRaw(header, refusal, A);
            cube.Cube.Advance(TimeSpan.FromMicroseconds(50));
        }

        Assert.False(running.IsCompleted);
        Assert.Equal(refused, cube[A].Refusals.Value);
        cube.Cube.Lose = null;
        cube.Settle();
        Assert.Equal((LedgerStatus.Done, 2L), (LedgerCube.Ended(running).Status, LedgerCube.Ended(running).Sum));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_change_for_another_run_or_server_or_too_late_is_refused()
    {
        using var cube = new LedgerCube(2, 1, 1);
        Key key = cube.KeyAt(B);
        var refused = new List<RefusalReason>();
        cube.Cube.Lose = (_, _, packet) =>
        {
            if (packet.Service.Value == 0x0779 && packet.Header<LedgerHeader>().Kind == LedgerKind.Refusal)
            {
                refused.Add(packet.Header<LedgerHeader>().Reason);
            }

            return false;
        };
        ulong run = cube[B].Channel.Run;
        long later = cube.Cube.NowNanos + 1_000_000_000;
        (CallHead Head, Coordinate Root)[] changes =
        [
            (
                new CallHead
                {
                    Number = 1,
                    RootRun = run + 1,
                    DeadlineNanos = later,
                },
                B
            ),
            (
                new CallHead
                {
                    Number = 2,
                    RootRun = run - 1,
                    DeadlineNanos = later,
                },
                B
            ),
            (
                new CallHead
                {
                    Number = 3,
                    RootRun = 0,
                    DeadlineNanos = later,
                },
                B
            ),
            (
                new CallHead
                {
                    Number = 4,
                    RootRun = run,
                    DeadlineNanos = later,
                },
                A
            ),
            (
                new CallHead
                {
                    Number = 5,
                    RootRun = run,
                    DeadlineNanos = later,
                },
                new(65_535, 65_535, 65_535)
            ),
            (
                new CallHead
                {
                    Number = 6,
                    RootRun = run,
                    DeadlineNanos = 0,
                },
                B
            ),
            (
                new CallHead
                {
                    Number = 7,
                    RootRun = run,
                    DeadlineNanos = long.MinValue,
                },
                B
            ),
        ];
        foreach ((CallHead head, Coordinate root) in changes)
        {
            var change = new LedgerHead { Call = head, Root = root };
            ReadOnlySpan<byte> body = MemoryMarshal.AsBytes(new ReadOnlySpan<LedgerHead>(in change));
            cube[A].SendRaw(Whole(LedgerKind.Add, key, 1, 1, body), body, B);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        RefusalReason wrong = RefusalReason.WrongRun,
            late = RefusalReason.Late;
        Assert.Equal([wrong, wrong, wrong, wrong, wrong, late, late], refused);
        Assert.Equal(0, cube[B].Done);
        cube.AssertQuiet();
    }

    private static LedgerHeader Whole(LedgerKind kind, Key key, ulong question, byte attempt, ReadOnlySpan<byte> body)
    {
        var header = new LedgerHeader
        {
            Kind = kind,
            Key = key,
            Question = question,
            Attempt = attempt,
            Reason = RefusalReason.NotRoot,
        };
        (header.Message.Length, header.Message.PieceLength) = ((uint)body.Length, (ushort)Math.Max(1, body.Length));
        header.Message.Kind = Messaging.MessageKind.Piece;
        return header;
    }
}
