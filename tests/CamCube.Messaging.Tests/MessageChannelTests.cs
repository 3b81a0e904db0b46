using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests;

public sealed class MessageChannelTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    private static TestCube CubeOf(int x, int y, int z, MessageOptions? options = null, int frame = 9_014) =>
        new TestCube(x, y, z, new SimulatorOptions { MaxFrameLength = frame }).Add(s => new Mailbox(s, options));

    [Theory]
    [InlineData(9_014)]
    [InlineData(1_514)]
    public void Messages_of_all_lengths_arrive_whole_and_once(int frame)
    {
        using TestCube cube = CubeOf(2, 1, 1, frame: frame);
        Mailbox from = cube[A].Service<Mailbox>(),
            to = cube[B].Service<Mailbox>();
        int piece = from.Channel.PieceLength;
        int[] lengths =
        [
            0,
            1,
            100,
            piece - 1,
            piece,
            piece + 1,
            (2 * piece) - 1,
            2 * piece,
            (2 * piece) + 1,
            70_000,
            1 << 20,
        ];
        for (int i = 0; i < lengths.Length; i++)
        {
            byte[] content = TestBytes.Of(lengths[i], i);
            from.Send((ulong)i, content, B, headLength: Math.Min(content.Length, 77));
            cube.AwaitUntil(() => to.Got.Count == i + 1);
            Assert.Equal((ulong)i, to.Got[i].Tag);
            Assert.Equal(content, to.Got[i].Content);
            Assert.Equal(A, to.Got[i].Id.Source);
        }

        cube.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(lengths.Length, to.Got.Count);
        Assert.Equal((0, 0, 0), (from.Channel.Kept, from.Channel.Sending, to.Channel.Arriving));
        cube.AssertQuiet();
    }

    [Fact]
    public void Messages_between_all_pairs_arrive_also_to_oneself_and_to_keys()
    {
        using TestCube cube = CubeOf(3, 3, 3);
        int expected = 0;
        for (int from = 0; from < 27; from++)
        {
            for (int to = 0; to < 27; to++)
            {
                byte[] content = TestBytes.Of(20_000 + to, from);
                Key key = Key.OfName($"{from}-{to}").WithCoordinate(cube.Shape.At(to));
                cube[from]
                    .Service<Mailbox>()
                    .Send((ulong)from, content, (from + to) % 2 == 0 ? key : cube.Shape.At(to));
                expected++;
            }
        }

        cube.AwaitUntil(() => Enumerable.Range(0, 27).Sum(r => cube[r].Service<Mailbox>().Got.Count) == expected);
        for (int to = 0; to < 27; to++)
        {
            foreach ((MessageId id, ulong tag, byte[] content) in cube[to].Service<Mailbox>().Got)
            {
                Assert.Equal((int)tag, cube.Shape.RankOf(id.Source));
                Assert.Equal(TestBytes.Of(20_000 + to, (int)tag), content);
            }
        }

        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(0.1, 1)]
    [InlineData(0.1, 2)]
    [InlineData(0.2, 3)]
    public void Lost_pieces_are_repaired(double loss, int seed)
    {
        using TestCube cube = CubeOf(3, 3, 3);
        var random = new Random(seed);
        cube.Lose = (_, _, packet) => packet.Service.Value == 0x0777 && random.NextDouble() < loss;
        Coordinate far = new(1, 1, 1);
        for (int i = 0; i < 10; i++)
        {
            cube[A].Service<Mailbox>().Send((ulong)i, TestBytes.Of(1 << 20, i), far);
        }

        Mailbox to = cube[far].Service<Mailbox>();
        cube.AwaitUntil(() => to.Got.Count == 10);
        cube.Lose = null;
        cube.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(10, to.Got.Count);
        Assert.All(to.Got, m => Assert.Equal(TestBytes.Of(1 << 20, (int)m.Tag), m.Content));
        Assert.Equal(0, to.Channel.Arriving);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_message_whose_sender_is_gone_is_forgotten()
    {
        using TestCube cube = CubeOf(2, 1, 1);
        cube[A].Service<Mailbox>().Send(1, TestBytes.Of(1 << 20, 1), B);
        cube.Advance(TimeSpan.FromMilliseconds(2));
        Mailbox to = cube[B].Service<Mailbox>();
        Assert.Equal(1, to.Channel.Arriving);
        cube.Kill(A);
        cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal((0, 0L, 0), (to.Channel.Arriving, to.Channel.ArrivingBytes, to.Got.Count));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_cancelled_message_is_not_sent_on_and_its_receiver_learns_it_early()
    {
        using TestCube cube = CubeOf(2, 1, 1);
        Mailbox from = cube[A].Service<Mailbox>(),
            to = cube[B].Service<Mailbox>();
        MessageTicket ticket = from.Send(1, TestBytes.Of(1 << 20, 1), B);
        cube.Advance(TimeSpan.FromMilliseconds(2));
        from.Channel.Cancel(ticket);
        from.Channel.Cancel(ticket);
        Assert.Equal((0, 0), (from.Channel.Sending, from.Channel.Kept));
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal((0, 0), (to.Channel.Arriving, to.Got.Count));
        cube.AssertQuiet();
    }

    [Fact]
    public void An_unwanted_message_takes_no_memory()
    {
        using TestCube cube = CubeOf(2, 1, 1);
        Mailbox to = cube[B].Service<Mailbox>();
        to.Refuses = true;
        cube[A].Service<Mailbox>().Send(1, TestBytes.Of(100_000, 1), B);
        cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal((0, 0), (to.Channel.Arriving, to.Got.Count));
        cube.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(0, cube[A].Service<Mailbox>().Channel.Kept);
        cube.AssertQuiet();
    }

    [Fact]
    public void Half_arrived_messages_stay_within_the_bound_under_a_flood()
    {
        var options = new MessageOptions { AssemblyBytes = 3 << 20, HalfArrivedPerSender = 4 };
        using TestCube cube = CubeOf(3, 3, 3, options);
        Coordinate victim = new(1, 1, 1);
        Mailbox to = cube[victim].Service<Mailbox>();
        for (int from = 0; from < 27; from++)
        {
            for (int i = 0; i < 4; i++)
            {
                cube[from].Service<Mailbox>().Send(0, TestBytes.Of(500_000, i), victim);
            }
        }

        long most = 0;
        for (int i = 0; i < 3_000; i++)
        {
            cube.Advance(TimeSpan.FromMicroseconds(100));
            most = Math.Max(most, to.Channel.ArrivingBytes);
        }

        Assert.InRange(most, 1, 3 << 20);
        Assert.All(
            to.Got,
            m =>
                Assert.Contains(Enumerable.Range(0, 4), i => m.Content.AsSpan().SequenceEqual(TestBytes.Of(500_000, i)))
        );
        cube.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal((0, 0L), (to.Channel.Arriving, to.Channel.ArrivingBytes));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_message_to_a_key_whose_root_dies_is_whole_or_lost()
    {
        using TestCube cube = CubeOf(3, 3, 3);
        Coordinate root = new(1, 1, 1);
        byte[] content = TestBytes.Of(1 << 20, 1);
        for (int i = 0; i < 20; i++)
        {
            Key key = Key.OfName($"k{i}").WithCoordinate(root);
            cube[A].Service<Mailbox>().Send((ulong)i, content, key);
        }

        cube.Advance(TimeSpan.FromMilliseconds(20));
        cube.Kill(root);
        cube.Advance(TimeSpan.FromSeconds(10));
        int arrived = 0;
        for (int rank = 0; rank < 27; rank++)
        {
            if (cube[rank].IsRunning)
            {
                Mailbox box = cube[rank].Service<Mailbox>();
                Assert.All(box.Got, m => Assert.Equal(content, m.Content));
                Assert.Equal((0, 0, 0), (box.Channel.Arriving, box.Channel.Sending, box.Channel.Kept));
                arrived += box.Got.Count;
            }
        }

        Assert.InRange(arrived, 0, 20);
        cube.AssertQuiet();
    }

    [Fact]
    public void Answers_come_back_by_the_packet_itself_and_by_messages()
    {
        using TestCube cube = CubeOf(3, 3, 3);
        Mailbox from = cube[A].Service<Mailbox>();
        int[] lengths = [0, 10, 250, 3_000, 8_000, 30_000, 300_000];
        for (int i = 0; i < lengths.Length; i++)
        {
            foreach (Coordinate to in new[] { new Coordinate(2, 1, 1), A })
            {
                from.Got.Clear();
                byte[] content = TestBytes.Of(lengths[i], i);
                from.Channel.Send(new Letter { Tag = 9, WantsAnswer = 1 }, default, content, to);
                cube.AwaitUntil(() => from.Got.Count == 1);
                Assert.Equal(content, from.Got[0].Content);
                Assert.Equal(to, from.Got[0].Id.Source);
            }
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Equal_runs_have_equal_traces()
    {
        Assert.Equal(Trace(), Trace());

        static ulong Trace()
        {
            using TestCube cube = CubeOf(3, 2, 1);
            var random = new Random(1);
            cube.Lose = (_, _, _) => random.NextDouble() < 0.05;
            for (int i = 0; i < 30; i++)
            {
                cube[i % 6].Service<Mailbox>().Send(1, TestBytes.Of(i * 9_000, i), cube.Shape.At((i * 5) % 6));
            }

            cube.Advance(TimeSpan.FromSeconds(1));
            return cube.Cube.TraceHash;
        }
    }
}
