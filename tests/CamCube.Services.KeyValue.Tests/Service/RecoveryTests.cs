using CamCube.Services.KeyValue.Members;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>A server that fetches all that it should have, and what fails meanwhile.</summary>
public sealed class RecoveryTests
{
    private const int Values = 60;
    private const int Length = 700_000;
    private const int Empty = 4;
    private static readonly KeyValueOptions Options = new()
    {
        TailBytes = 16 << 10,
        ReplicateAfter = TimeSpan.FromSeconds(20),
        Timeout = TimeSpan.FromSeconds(2),
    };

    [Fact]
    public void An_empty_server_fetches_all_from_many_at_once_and_soon()
    {
        using StoreCube cube = Filled();
        cube.Cube.Kill(cube.Cube.Shape.At(Empty));
        cube.Cube.Revive(cube.Cube.Shape.At(Empty), emptyDisk: true);
        long began = cube.Cube.NowNanos;
        cube.Cube.AwaitConverged();
        AwaitPieces(cube, 12);
        cube.AwaitSettled();
        Assert.InRange(cube.Cube.NowNanos - began, 0, 4_000_000_000);
        CheckAll(cube);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_source_that_dies_in_the_middle_costs_nothing_that_came_before(int seed)
    {
        using StoreCube cube = Filled();
        var random = new Random(seed);
        cube.Cube.Kill(cube.Cube.Shape.At(Empty));
        cube.Cube.Revive(cube.Cube.Shape.At(Empty), emptyDisk: true);
        cube.Cube.AwaitConverged();
        AwaitPieces(cube, 5);

        // One that is asked goes, and changes are made meanwhile.
        int source = new[] { 1, 3, 5, 7 }[random.Next(4)];
        cube.Cube.Kill(cube.Cube.Shape.At(source));
        AwaitPieces(cube, 8);
        long before = FetchedBytes(cube);
        Assert.Equal(Done, LongValues.Write(cube, Empty, "new", LongValues.Of(1_000, Length)).Status);
        cube.Cube.Revive(cube.Cube.Shape.At(source));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Assert.True(before > 0);

        // Each value came once; but for what was under way, nothing twice.
        Assert.InRange(FetchedBytes(cube), before, (Values + 8L) * Length);
        CheckAll(cube);
    }

    [Fact]
    public void Who_dies_while_it_fetches_goes_on_with_the_groups_that_it_had()
    {
        using StoreCube cube = Filled();
        cube.Cube.Kill(cube.Cube.Shape.At(Empty));
        cube.Cube.Revive(cube.Cube.Shape.At(Empty), emptyDisk: true);
        cube.Cube.AwaitConverged();
        AwaitPieces(cube, 12);
        cube.Cube.Kill(cube.Cube.Shape.At(Empty));
        cube.Cube.Revive(cube.Cube.Shape.At(Empty));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        CheckAll(cube);
    }

    [Fact]
    public void A_server_that_is_gone_is_not_asked_for_states_before_others()
    {
        // Of groups with five copies: of its own the one that is gone comes first.
        const int Gone = 5;
        using var cube = new StoreCube(3, 3, 1, new KeyValueOptions { Replicas = 5, Fetches = 1 });
        cube.AwaitLed();
        cube.Cube.Kill(cube.Cube.Shape.At(Gone));
        cube.Cube.AwaitConverged();
        cube.Cube.Kill(cube.Cube.Shape.At(Empty));
        cube.Cube.Revive(cube.Cube.Shape.At(Empty), emptyDisk: true);
        cube.Cube.AwaitConverged();
        long began = cube.Cube.NowNanos;
        cube.Cube.AwaitUntil(
            () =>
                HostOf(cube, Empty) is { IsOpen: true, Members: var all }
                && all.Count(m => m.State.Epoch is not null) > 3
                && all.All(m => m.State.Fetching is null)
                && cube.Cube[Empty].Service<KeyValueService>().Fetching == 0,
            "States do not come"
        );
        Assert.InRange(cube.Cube.NowNanos - began, 0, 100_000_000);
    }

    private static StoreCube Filled()
    {
        var cube = new StoreCube(3, 3, 1, Options);
        cube.AwaitLed();
        List<Task<KeyValueAnswer>> all = [];
        for (int number = 0; number < Values; number++)
        {
            IKeyValueStore store = cube[number % 9];
            all.Add(LongValues.WriteAsync(store, $"{number}", LongValues.Of(number, Length)).AsTask());
            all.Add(store.PutAsync(KeyValueKey.Of($"short {number}"), LongValues.Of(number, 100)).AsTask());
        }

        cube.Cube.AwaitUntil(() => all.TrueForAll(static t => t.IsCompleted), "Writers hang");
        Assert.All(all, static t => Assert.Equal(Done, t.Result.Status));
        return cube;
    }

    // Until so many values have come.
    private static void AwaitPieces(StoreCube cube, int values) =>
        cube.Cube.AwaitUntil(() => FetchedBytes(cube) >= (long)values * Length, "Nothing comes");

    private static long FetchedBytes(StoreCube cube) =>
        cube.Cube[Empty].IsRunning ? cube.Cube[Empty].Service<KeyValueService>().FetchedBytes : 0;

    private static MemberHost HostOf(StoreCube cube, int rank) => cube.Cube[rank].Service<KeyValueService>().Host;

    // The one that was empty has every key of its groups, as who leads has it, and every byte of its values.
    private static void CheckAll(StoreCube cube)
    {
        MemberHost here = HostOf(cube, Empty);
        int values = 0;
        for (int rank = 0; rank < 9; rank++)
        {
            MemberHost host = HostOf(cube, rank);
            foreach (Member member in host.Members.Where(m => m.Leads && here.Find(m.Id) is not null))
            {
                Assert.Equal(VersionsOf(host, member), VersionsOf(here, member));
                values += here.Index.Of(member.Id.Number).Count(static e => e.Value.IsInPieces);
            }
        }

        Assert.InRange(values, 10, Values);
        Assert.InRange(here.Pieces.Keeper.Pieces.Count, values, values + 4);
        for (int number = 0; number < Values; number++)
        {
            byte[] value = cube.Cube.Await(ReadAsync(cube[Empty], $"{number}"));
            Assert.Equal(LongValues.Of(number, Length), value);
        }
    }

    private static IEnumerable<ulong> VersionsOf(MemberHost host, Member member) =>
        host.Index.Of(member.Id.Number).Select(static e => e.Value.Version).Order();

    private static async ValueTask<byte[]> ReadAsync(IKeyValueStore store, string key)
    {
        using IKeyValueReader reader = await store.OpenReadAsync(KeyValueKey.Of(key), KeyValueReads.Any);
        var value = new MemoryStream();
        while (await reader.ReadAsync() is { Status: Done, Bytes.IsEmpty: false } part)
        {
            value.Write(part.Bytes.Span);
        }

        return value.ToArray();
    }
}
