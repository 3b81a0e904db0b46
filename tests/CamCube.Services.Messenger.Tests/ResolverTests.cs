using System.Runtime.CompilerServices;
using static CamCube.Services.Messenger.Tests.MessengerCube;

namespace CamCube.Services.Messenger.Tests;

/// <summary>How places are found: by the root, by asking all, and by resolvers that cannot be trusted.</summary>
public sealed class ResolverTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(2, 1, 0);

    [Fact]
    public void Asking_all_finds_an_owner_that_no_root_knows_of_and_visits_each_server_once()
    {
        using var cube = new MessengerCube(3, 3, 3);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(C, "to");
        cube[A].Resolver = cube[A].Broadcast;
        Assert.Equal(SendStatus.Sent, from.TrySend(to.Id, 0, "found"u8));
        Assert.Equal("found", cube.Receive(to));
        Assert.Equal(1, cube[A].Counters.Broadcasts.Value);
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void Without_searches_left_it_is_given_up()
    {
        using var cube = new MessengerCube(3, 1, 1, new MessengerOptions { BroadcastsPerSecond = 0 });
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to");
        cube[A].Resolver = cube[A].Broadcast;
        Assert.Equal(CallStatus.Unresolved, cube.Cube.Await(from.CallAsync(to.Id, 0, [], Second)).Status);
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void Searches_of_the_cube_are_so_many_in_a_second()
    {
        using var cube = new MessengerCube(3, 1, 1, new MessengerOptions { BroadcastsPerSecond = 10 });
        using IEndpoint from = cube.Open(A, "from");
        for (int i = 0; i < 100; i++)
        {
            from.TrySend(EndpointId.OfName($"nobody {i}"), 0, "x"u8);
        }

        cube.Cube.Advance(Second);
        Assert.InRange(cube[A].Counters.Broadcasts.Value, 5, 21);
        cube.AssertNothingLeft(1);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void A_resolver_that_answers_with_nonsense_costs_a_message_and_no_more(int kind)
    {
        using var cube = new MessengerCube(3, 3, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to");
        EndpointPlace right = new(B, cube[B].Run, to.Term);
        cube[A].Resolver = new FixedResolver(
            kind switch
            {
                0 => right with { Server = new Coordinate(900, 900, 900) },
                1 => right with { Server = C },
                2 => right with { Run = 1 },
                3 => right with { Term = 999 },
                _ => default,
            }
        );
        ValueTask<CallAnswer> call = from.CallAsync(to.Id, 0, [], 10 * Second);
        Assert.Equal(CallStatus.Unresolved, cube.Cube.Await(call).Status);
        Assert.Equal(0, to.Waiting);
        cube[A].Resolver = cube[A].Finder;
        Assert.Equal(SendStatus.Sent, from.TrySend(to.Id, 0, "right"u8));
        Assert.Equal("right", cube.Receive(to));
        cube.AssertNothingLeft(2);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_resolver_that_never_answers_or_throws_costs_its_time(bool throws)
    {
        using var cube = new MessengerCube(3, 1, 1, new MessengerOptions { WaitingForPlaces = 8 });
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to");
        cube[A].Resolver = new BadResolver(throws);
        long before = cube.Cube.NowNanos;
        ValueTask<CallAnswer> call = from.CallAsync(to.Id, 0, [], 60 * Second);
        Assert.Equal(CallStatus.Unresolved, cube.Cube.Await(call).Status);
        Assert.InRange((cube.Cube.NowNanos - before) / 1e9, 0.99, 1.02);
        for (int i = 0; i < 3_000; i++)
        {
            from.TrySend(EndpointId.OfName($"{i} of many"), 0, "x"u8);
            Assert.InRange(cube[A].Courier.Waiting, 0, 8);
        }

        cube.Cube.Advance(2 * Second);
        cube[A].Resolver = cube[A].Finder;
        from.TrySend(to.Id, 0, "right"u8);
        Assert.Equal("right", cube.Receive(to));
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void Places_that_are_remembered_are_bounded_and_those_not_used_go_first()
    {
        using var cube = new MessengerCube(2, 1, 1, new MessengerOptions { Places = 16 });
        using IEndpoint from = cube.Open(A, "from");
        IEndpoint[] all = [.. Enumerable.Range(0, 40).Select(i => cube.Open(B, $"many {i}"))];
        for (int round = 0; round < 2; round++)
        {
            foreach (IEndpoint to in all)
            {
                from.TrySend(to.Id, 0, "x"u8);
                from.TrySend(all[0].Id, 0, "x"u8);
                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
                Assert.InRange(cube[A].Courier.Places.Count, 0, 16);
            }
        }

        Assert.Equal(82, all[0].Waiting);
        Assert.All(all[1..], e => Assert.Equal(2, e.Waiting));
        Assert.InRange(cube[A].Counters.Resolved.Value, 40, 79);
        Array.ForEach(all, e => e.Dispose());
        cube.AssertNothingLeft(1);
    }

    private sealed class FixedResolver(EndpointPlace place) : IResolver
    {
        public ValueTask<EndpointPlace> FindAsync(EndpointId id, EndpointPlace wrong, CancellationToken cancel) =>
            new(place);
    }

    private sealed class BadResolver(bool throws) : IResolver
    {
        [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
        public async ValueTask<EndpointPlace> FindAsync(EndpointId id, EndpointPlace wrong, CancellationToken cancel)
        {
            if (throws)
            {
                throw new InvalidOperationException("I am broken.");
            }

            await new TaskCompletionSource().Task;
            return default;
        }
    }
}
