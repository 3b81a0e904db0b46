using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests;

/// <summary>Long messages come as their receiver grants them.</summary>
public sealed class MessageGrantTests
{
    private const int Megabyte = 1 << 20;
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Fact]
    public void Messages_of_all_to_one_fill_its_links_and_none_is_lost_or_late()
    {
        const int Rounds = 4;
        using TestCube cube = CubeOf(3, 3, 3);
        Mailbox to = cube[A].Service<Mailbox>();
        to.CountsOnly = true;
        long began = cube.NowNanos;
        for (int round = 0; round < Rounds; round++)
        {
            for (int rank = 1; rank < 27; rank++)
            {
                cube[rank].Service<Mailbox>().Send((ulong)rank, TestBytes.Of(Megabyte, rank), A);
            }

            cube.AwaitUntil(() => to.Count == 26 * (round + 1));
        }

        double seconds = (cube.NowNanos - began) / 1e9,
            capacity = 6e9 / 8 * to.Channel.PieceLength / 9_014,
            share = 26.0 * Rounds * Megabyte / seconds / capacity;
        Assert.InRange(share, 0.94, 1);
        for (int rank = 0; rank < 27; rank++)
        {
            Assert.Equal(0, Counter(cube, rank, "messages_expired"));
            Assert.Equal(0, Counter(cube, rank, "messages_repaired"));
            Assert.Equal(0, cube[rank].DropsOf(DropReason.NoBuffer));
        }

        cube.Advance(TimeSpan.FromSeconds(3));
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(0.05, 1)]
    [InlineData(0.3, 2)]
    public void With_losses_one_who_dies_and_one_who_wants_nothing_all_others_get_theirs(double loss, int seed)
    {
        using TestCube cube = CubeOf(3, 3, 3);
        var random = new Random(seed);
        cube.Lose = (_, _, packet) => packet.Service.Value == 0x0777 && random.NextDouble() < loss;
        Coordinate victim = new(2, 2, 2),
            rude = new(2, 0, 0);
        cube[rude].Service<Mailbox>().Refuses = true;
        for (int rank = 1; rank < 27; rank++)
        {
            cube[rank].Service<Mailbox>().Send((ulong)rank, TestBytes.Of(400_000 + rank, rank), A);
            cube[rank].Service<Mailbox>().Send((ulong)rank, TestBytes.Of(400_000, rank), rude);
        }

        cube.Advance(TimeSpan.FromMilliseconds(5));
        cube.Kill(victim);
        Mailbox to = cube[A].Service<Mailbox>();
        cube.Advance(TimeSpan.FromSeconds(20));
        int[] got = [.. to.Got.Select(m => (int)m.Tag).Order()];
        Assert.Equal(got.Length, got.Distinct().Count());
        Assert.All(to.Got, m => Assert.Equal(TestBytes.Of(400_000 + (int)m.Tag, (int)m.Tag), m.Content));
        Assert.True(got.Count(r => r != 26) >= (loss < 0.1 ? 25 : 20), $"{got.Length} arrived");
        Assert.Equal((0, 0L), (to.Channel.Arriving, to.Channel.ArrivingBytes));
        cube.Lose = null;
        cube.Advance(TimeSpan.FromSeconds(3));
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_waits_for_its_turn_longer_than_messages_are_kept_is_not_forgotten()
    {
        using TestCube cube = CubeOf(3, 1, 1);
        Mailbox to = cube[B].Service<Mailbox>();
        cube[A].Service<Mailbox>().Send(1, TestBytes.Of(Megabyte, 1), B);
        cube[new Coordinate(2, 0, 0)].Service<Mailbox>().Send(2, TestBytes.Of(Megabyte, 2), B);

        // One sender stands still with all that may be open, again and again.
        for (int i = 0; i < 6; i++)
        {
            cube.Advance(TimeSpan.FromMilliseconds(1));
            cube.Pause(A, TimeSpan.FromMilliseconds(900));
            cube.Advance(TimeSpan.FromMilliseconds(900));
        }

        cube.AwaitUntil(() => to.Got.Count == 2);
        Assert.Equal([1, 2], to.Got.Select(m => (int)m.Tag).Order());
    }

    [Fact]
    public void Grants_that_nobody_gave_do_no_harm()
    {
        using TestCube cube = CubeOf(3, 1, 1);
        Mailbox from = cube[A].Service<Mailbox>(),
            to = cube[B].Service<Mailbox>(),
            rude = cube[new Coordinate(2, 0, 0)].Service<Mailbox>();
        var random = new Random(1);
        from.Send(1, TestBytes.Of(Megabyte, 1), B);
        for (int i = 0; i < 2_000; i++)
        {
            var header = new Letter();
            header.Message.Run = random.Next(3) == 0 ? (ulong)random.NextInt64() : from.Channel.Run;
            header.Message.Sequence = (uint)random.Next(4);
            header.Message.Piece = (ushort)random.Next(ushort.MaxValue + 1);
            header.Message.Kind = MessageKind.Grant;
            rude.SendRaw(header, new byte[random.Next(100)], random.Next(2) == 0 ? A : B);
            cube.Advance(TimeSpan.FromMicroseconds(random.Next(20)));
        }

        cube.AwaitUntil(() => to.Got.Count == 1);
        Assert.Equal(TestBytes.Of(Megabyte, 1), to.Got[0].Content);
        Assert.Empty(cube.Faults);
    }

    private static long Counter(TestCube cube, int rank, string name) =>
        cube[rank].Status.Services.SelectMany(s => s.Counters).Where(c => c.Name.EndsWith(name)).Sum(c => c.Value);

    private static TestCube CubeOf(int x, int y, int z, MessageOptions? options = null) =>
        new TestCube(x, y, z, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(s => new Mailbox(s, options));
}
