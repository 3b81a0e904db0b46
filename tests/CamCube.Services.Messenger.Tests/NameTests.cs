using CamCube.Faults;
using static CamCube.Services.Messenger.Tests.MessengerCube;

namespace CamCube.Services.Messenger.Tests;

/// <summary>Names: what is one, who has it, and what becomes of it when servers come and go.</summary>
public sealed class NameTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(2, 1, 0);

    [Theory]
    [InlineData("", false)]
    [InlineData("a", true)]
    [InlineData("65535", true)]
    [InlineData("größe/日本", true)]
    public void A_name_is_1_to_64_bytes_of_UTF_8(string name, bool isOne) =>
        Assert.Equal(isOne, EndpointId.TryOfName(name, out _));

    [Fact]
    public void Bytes_of_a_name_are_counted_not_its_characters()
    {
        Assert.True(EndpointId.TryOfName(new string('a', 64), out _));
        Assert.False(EndpointId.TryOfName(new string('a', 65), out _));
        Assert.True(EndpointId.TryOfName(new string('ä', 32), out _));
        Assert.False(EndpointId.TryOfName(new string('ä', 33), out _));
        Assert.False(EndpointId.TryOfName("half a pair \ud800", out _));
        Assert.False(EndpointId.TryOfName("\udc00", out _));
    }

    [Fact]
    public void An_id_is_the_first_8_bytes_of_SHA_1_or_a_number()
    {
        byte[] hash = System.Security.Cryptography.SHA1.HashData("files"u8);
        Assert.Equal(
            System.Buffers.Binary.BinaryPrimitives.ReadUInt64BigEndian(hash),
            EndpointId.OfName("files").Value
        );
        Assert.Equal(42ul, EndpointId.OfName("42").Value);
        Assert.Equal(0ul, EndpointId.OfName("0").Value);
        Assert.All(
            ["65536", "042", "+1", " 1", "1.0"],
            name => Assert.True(EndpointId.OfName(name).Value >= EndpointId.FirstOfNames)
        );
        Assert.Throws<ArgumentException>(() => EndpointId.OfName(""));
    }

    [Fact]
    public void A_name_is_given_at_once_also_where_another_waits_to_be_renewed()
    {
        using var cube = new MessengerCube(2, 2, 1, hasOwnEndpoints: true);
        cube.Cube.Advance(Second);
        using IEndpoint late = cube.Begin(B, "late");
        cube.Cube.Advance(Second / 100);
        Assert.Equal(EndpointState.Owned, late.State);
    }

    [Fact]
    public void Who_waits_for_a_name_gets_it_soon_also_when_its_root_dies_with_the_owner()
    {
        using var cube = new MessengerCube(3, 3, 1, server: new() { Liveness = { DetectionTime = Second } });
        string name = cube.NameAt(A);
        cube.Open(A, name);
        using IEndpoint next = cube.Begin(C, name, new EndpointOptions { Patience = 10 * Second });
        cube.Cube.Advance(Second);
        cube.Cube.Kill(A);
        cube.Cube.AwaitUntil(() => !cube.Cube[C].Topology.IsReachable(A));
        long noticed = cube.Cube.NowNanos;
        Assert.True(cube.Cube.Await(next.OwnedAsync()));

        // The new root waits for owners; who wants the name asks again and again.
        Assert.InRange(cube.Cube.NowNanos - noticed, 0, (100 + 20 + 1) * 1_000_000L);
    }

    [Fact]
    public void Nobody_has_a_name_is_not_said_before_who_waits_for_it_has_asked_again()
    {
        using var cube = new MessengerCube(3, 3, 1, new MessengerOptions { BroadcastsPerSecond = 0 });
        string name = cube.NameAt(B);
        IEndpoint owner = cube.Open(A, name);
        using IEndpoint asker = cube.Open(new Coordinate(0, 2, 0), "asker");
        cube.Cube.Advance(Second);
        cube.Cube.Kill(A);
        cube.Cube.AwaitUntil(() => !cube.Cube[B].Topology.IsReachable(A));
        cube.Cube.Advance(0.105 * Second);
        Assert.Equal(SendStatus.Sent, asker.TrySend(owner.Id, 0, "early"u8));
        cube.Cube.Advance(Second / 100);
        using IEndpoint next = cube.Open(C, name);
        Assert.Equal("early", cube.Receive(next));
    }

    [Fact]
    public void What_is_no_name_or_too_many_is_refused_in_words()
    {
        using var cube = new MessengerCube(2, 1, 1, new MessengerOptions { Endpoints = 2 });
        MessengerService messenger = cube[A];
        Assert.Equal(EndpointOpen.Invalid, messenger.TryOpen("", null, out _));
        Assert.Equal(EndpointOpen.Invalid, messenger.TryOpen(null!, null, out _));
        Assert.Equal(EndpointOpen.Invalid, messenger.TryOpen(new string('x', 65), null, out _));
        Assert.Equal(EndpointOpen.Invalid, messenger.TryOpen("\ud83d", null, out _));
        Assert.Equal(
            EndpointOpen.Invalid,
            messenger.TryOpen("x", new EndpointOptions { ReceiveBuffers = 65_537 }, out _)
        );
        using IEndpoint one = cube.Open(A, "one");
        Assert.Equal(EndpointOpen.Taken, messenger.TryOpen("one", null, out IEndpoint? none));
        Assert.Null(none);
        using IEndpoint two = cube.Open(A, "two");
        Assert.Equal(EndpointOpen.Full, messenger.TryOpen("three", null, out _));
        using var ended = new CancellationTokenSource();
        ended.Cancel();
        var late = new EndpointOptions { Lifetime = ended.Token };
        Assert.Equal(EndpointOpen.Closed, messenger.TryOpen("four", late, out _));
    }

    [Fact]
    public void A_name_has_one_owner_in_the_cube_and_is_free_when_that_one_closes()
    {
        using var cube = new MessengerCube(3, 3, 1);
        IEndpoint first = cube.Open(A, "only");
        IEndpoint second = cube.Begin(B, "only");
        Assert.False(cube.Cube.Await(second.OwnedAsync()));
        Assert.Equal(EndpointState.NameLost, second.State);
        Assert.Equal(SendStatus.NotOwned, second.TrySend(first.Id, 1, "x"u8));
        uint term = first.Term;
        first.Dispose();
        Assert.Equal(EndpointState.Closed, first.State);
        cube.Cube.Advance(Second / 10);
        IEndpoint third = cube.Open(C, "only");
        Assert.True(third.Term > term);
        third.Dispose();
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Of_all_servers_that_want_a_name_at_once_one_gets_it()
    {
        using var cube = new MessengerCube(3, 3, 3);
        cube.Cube.Lose = LossOf(0.2, 1);
        IEndpoint[] all = [.. Enumerable.Range(0, 27).Select(r => cube.Begin(cube.Cube.Shape.At(r), "wanted"))];
        cube.Cube.AwaitUntil(() => all.All(e => e.State != EndpointState.Opening));
        Assert.Single(all, e => e.State == EndpointState.Owned);
        Assert.Equal(26, all.Count(e => e.State == EndpointState.NameLost));
        Array.ForEach(all, e => e.Dispose());
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Who_is_patient_gets_the_name_when_its_owner_dies()
    {
        using var cube = new MessengerCube(3, 3, 1);
        IEndpoint first = cube.Open(A, "service");
        using IEndpoint second = cube.Begin(B, "service", new EndpointOptions { Patience = 10 * Second });
        cube.Cube.Advance(Second);
        Assert.Equal(EndpointState.Opening, second.State);
        cube.Cube.Kill(A);
        Assert.True(cube.Cube.Await(second.OwnedAsync()));
        cube.AssertNothingLeft(1);
    }

    [Fact]
    public void A_name_lives_on_when_its_root_dies()
    {
        using var cube = new MessengerCube(3, 3, 1);
        string name = cube.NameAt(C);
        using IEndpoint owner = cube.Open(A, name);
        using IEndpoint asker = cube.Open(B, "asker");
        cube.Cube.Kill(C);
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(Second / 2);
        Assert.Equal(EndpointState.Owned, owner.State);
        Assert.Equal(SendStatus.Sent, asker.TrySend(owner.Id, 7, "still there"u8));
        Assert.Equal("still there", cube.Receive(owner));
        IEndpoint other = cube.Begin(B, name);
        Assert.False(cube.Cube.Await(other.OwnedAsync()));
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void After_a_partition_that_heals_one_of_two_owners_keeps_the_name_and_the_other_hears_of_it()
    {
        using var cube = new MessengerCube(4, 2, 1);
        string name = cube.NameAt(new Coordinate(0, 1, 0));
        var far = new Coordinate(3, 0, 0);
        IEndpoint[] owners = new IEndpoint[2];
        Coordinate[] eastern = [.. Enumerable.Range(0, 8).Select(cube.Cube.Shape.At).Where(c => c.X >= 2)];
        using (cube.Cube.Partition(ServerSet.Of(cube.Cube.Shape, eastern)))
        {
            cube.Cube.AwaitConverged();
            owners[0] = cube.Open(A, name);
            owners[1] = cube.Open(far, name);
            Assert.All(owners, o => Assert.Equal(EndpointState.Owned, o.State));
        }

        cube.Cube.AwaitConverged();
        cube.Cube.AwaitUntil(() => owners.Any(o => o.State == EndpointState.NameLost));
        cube.Cube.Advance(20 * Second);
        Assert.Single(owners, o => o.State == EndpointState.Owned);
        Assert.Single(owners, o => o.State == EndpointState.NameLost);
        Array.ForEach(owners, o => o.Dispose());
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_name_whose_owner_begins_anew_is_free_and_nothing_of_before_reaches_it()
    {
        using var cube = new MessengerCube(3, 1, 1);
        string name = cube.NameAt(new Coordinate(2, 0, 0));
        IEndpoint first = cube.Open(B, name);
        using IEndpoint asker = cube.Open(A, "asker");
        Assert.Equal(SendStatus.Sent, asker.TrySend(first.Id, 0, "one"u8));
        Assert.Equal("one", cube.Receive(first));
        cube.Cube.Kill(B);
        cube.Cube.Revive(B);
        using IEndpoint second = cube.Open(B, name, new EndpointOptions { Patience = 10 * Second });
        cube.Cube.AwaitConverged();
        Assert.Equal(SendStatus.Sent, asker.TrySend(second.Id, 0, "two"u8));
        Assert.Equal("two", cube.Receive(second));
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void An_endpoint_ends_with_its_lifetime_and_one_in_OnStop_is_refused()
    {
        using var cube = new MessengerCube(2, 2, 1);
        using var lifetime = new CancellationTokenSource();
        IEndpoint endpoint = cube.Open(A, "mortal", new EndpointOptions { Lifetime = lifetime.Token });
        lifetime.Cancel();
        Assert.Equal(EndpointState.Closed, endpoint.State);
        MessengerService before = cube[B];
        IEndpoint left = cube.Open(B, "left");
        cube.Cube.Shutdown(B);
        Assert.Equal(EndpointState.Closed, left.State);
        Assert.Equal(EndpointOpen.Closed, before.TryOpen("late", null, out _));
        cube.Cube.Revive(B);
        cube.Cube.AwaitConverged();
        using IEndpoint again = cube.Open(A, "left", new EndpointOptions { Patience = 20 * Second });
        cube.AssertNothingLeft(1);
    }

    private static Func<Coordinate, Link, Packet, bool> LossOf(double loss, int seed)
    {
        var random = new Random(seed);
        return (_, _, packet) => packet.Service.Value == 0x0112 && random.NextDouble() < loss;
    }
}
