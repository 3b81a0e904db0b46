using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>The store does the same whatever the number of threads that simulate it: nothing in it depends on which
/// server's turn comes first.</summary>
public sealed class ThreadTests
{
    private static readonly KeyValueOptions Options = new()
    {
        TailBytes = 4 << 10,
        SegmentBytes = 64 << 10,
        MaxValueLength = 200 << 10,
        ReplicateAfter = TimeSpan.FromSeconds(1),
    };

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Equal_runs_on_one_and_two_threads_are_equal_to_the_last_packet(int seed)
    {
        (ulong Hash, string Ends) one = Run(seed, 1),
            two = Run(seed, 2);
        Assert.Equal(one, two);
        Assert.NotEqual(one.Hash, Run(seed + 10, 1).Hash);
        Assert.Contains("Done", one.Ends, StringComparison.Ordinal);
        Assert.Contains("Conflict", one.Ends, StringComparison.Ordinal);
    }

    // A crowd puts, deletes and reads at all servers, long values among them, while servers die, are cut off, and come
    // back, one of them with an empty disk.
    private static (ulong Hash, string Ends) Run(int seed, int threads)
    {
        var random = new Random(seed);
        using TestCube cube = new TestCube(4, 2, 1, new SimulatorOptions { Threads = threads }).Add(
            s => new KeyValueService(s, Options)
        );
        List<Task<KeyValueAnswer>> started = [];
        cube.Advance(TimeSpan.FromSeconds(1));
        for (int round = 0; round < 60; round++)
        {
            for (int i = 0; i < 6; i++)
            {
                int rank = random.Next(cube.Shape.Count);
                var asked = (
                    Key: $"key {random.Next(20)}",
                    What: random.Next(4),
                    Length: random.Next(8) == 0 ? 150_000 : 90
                );
                if (cube[rank].IsRunning)
                {
                    started.Add(
                        cube[rank]
                            .Gate.CallAsync<IKeyValueStore, (string, int, int), KeyValueAnswer>(
                                static (store, asked) => Do(store, asked),
                                asked
                            )
                            .AsTask()
                    );
                }
            }

            switch (round)
            {
                case 10:
                    cube.Kill(cube.Shape.At(1));
                    break;
                case 20:
                    cube.Kill(cube.Shape.At(6));
                    break;
                case 30:
                    cube.Revive(cube.Shape.At(1));
                    break;
                case 40:
                    cube.Revive(cube.Shape.At(6), emptyDisk: true);
                    break;
                default:
                    break;
            }

            cube.Advance(TimeSpan.FromMilliseconds(60));
        }

        cube.Advance(TimeSpan.FromSeconds(8));
        Assert.Empty(cube.Faults);
        return (
            cube.Cube.TraceHash,
            string.Join(", ", started.Select(static task => task.IsCompletedSuccessfully ? $"{task.Result}" : "lost"))
        );
    }

    private static ValueTask<KeyValueAnswer> Do(IKeyValueStore store, (string Key, int What, int Length) asked)
    {
        KeyValueKey key = KeyValueKey.Of(asked.Key);
        return asked.What switch
        {
            0 => store.GetAsync(key),
            1 => store.DeleteAsync(key),
            2 => store.PutAsync(key, new byte[asked.Length], new KeyValuePut { Condition = KeyValueCondition.Absent }),
            _ => store.PutAsync(key, new byte[asked.Length], default),
        };
    }
}
