using CamCube.Simulator.Disks;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Reads of which neither value nor metadata are wanted.</summary>
public sealed class LookTests
{
    private const int Keys = 12;

    [Fact]
    public void A_version_and_a_length_are_told_without_the_disk()
    {
        // What was put lately is in memory: of these keys the last at most, as all are of one group.
        using var cube = new StoreCube(3, 3, 1, new KeyValueOptions { TailBytes = 4 << 10 });
        cube.AwaitLed();
        ulong[] versions = [.. Enumerable.Range(0, Keys).Select(i => Put(cube, i))];
        cube.Put(2, "{tag} gone", "value");
        cube.Delete(3, "{tag} gone");
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        using (cube.Cube.Cube.DiskFaults.Add(new DiskReadFailures(1)))
        {
            for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
            {
                KeyValueAnswer answer = Look(cube, rank, "{tag} 1");
                Assert.Equal((Done, versions[1], 3_001), (answer.Status, answer.Version, answer.Length));
                Assert.Equal(NotFound, Look(cube, rank, "{tag} gone").Status);
                Assert.Equal(NotFound, Look(cube, rank, "{tag} never").Status);
            }

            Assert.Equal(DataAway, cube.Get(0, "{tag} 1").Answer.Status);
        }

        Assert.Equal(new string('x', 3_001), cube.Get(0, "{tag} 1").Value);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void The_length_of_a_value_in_pieces_is_that_of_the_whole()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        KeyValueAnswer put = cube.Cube.Await(cube[1].PutAsync(KeyValueKey.Of("long"), new byte[700_000]));
        KeyValueAnswer answer = Look(cube, 2, "long");
        Assert.Equal((Done, put.Version, 700_000), (answer.Status, answer.Version, answer.Length));
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void A_look_of_a_crowd_is_never_older_than_what_was_acknowledged_whoever_is_lost_meanwhile()
    {
        using var cube = new StoreCube(3, 3, 1);
        cube.AwaitLed();
        Coordinate leader = cube[0]
            .ListGroups()
            .Select(static group => group.Leader)
            .First(static l => l is not null)!
            .Value;
        int lost = cube.Cube.Shape.RankOf(leader);
        int[] asking = [.. Enumerable.Range(0, cube.Cube.Shape.Count).Where(rank => rank != lost)];
        for (int round = 0; round < 12; round++)
        {
            if (round == 4)
            {
                cube.Cube.Kill(leader);
            }

            for (int key = 0; key < Keys; key++)
            {
                ulong version = cube.Put(asking[(round + key) % asking.Length], $"key {key}", $"{round}").Version;
                (int Rank, ValueTask<KeyValueAnswer> Answer)[] asked =
                [
                    .. asking.Select(rank => (rank, cube[rank].GetAsync(KeyValueKey.Of($"key {key}")))),
                ];
                foreach ((int rank, ValueTask<KeyValueAnswer> waits) in asked)
                {
                    KeyValueAnswer answer = cube.Cube.Await(waits);
                    Assert.Equal((Done, version), (answer.Status, answer.Version));
                }
            }
        }

        cube.Cube.AssertQuiet();
    }

    private static ulong Put(StoreCube cube, int i) =>
        cube.Put(i % 9, $"{{tag}} {i}", new string('x', 3_000 + i)).Version;

    private static KeyValueAnswer Look(StoreCube cube, int rank, string key) =>
        cube.Cube.Await(cube[rank].GetAsync(KeyValueKey.Of(key)));
}
