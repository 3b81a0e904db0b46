namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>Memory of 1 to 64 groups at once: the bounds of the settings hold all the time, and all of them go on,
/// those with a tree for each member, too.</summary>
[Collection(nameof(Alone))]
public sealed class MemoryTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    [InlineData(64)]
    public void What_is_in_memory_is_within_its_bounds_and_no_group_waits_for_another(int count)
    {
        const int Part = 300;

        // Just enough for nine trees of 64 groups.
        const long Memory = 64L * ((2 * 8) + 30) * (8 << 10);
        using var cube = new CollectivesCube(
            new TorusShape(3, 3, 1),
            options: new CollectivesOptions { SendMemory = Memory, ReceiveMemory = Memory },
            simulator: new Simulator.Settings.SimulatorOptions { IsTracing = false }
        );
        CollectivesOptions options = cube.Options;
        cube.Cube.Advance(TimeSpan.FromMilliseconds(50));
        var groups = new List<(int Server, IGroup Group)>();
        Keep();
        var tasks = new List<Task<CollectiveResult>[]>();
        var vectors = new List<int[][]>();
        for (int i = 0; i < count; i++)
        {
            if (i > 0)
            {
                // The first is there.
                cube.Open($"group {i}");
                Keep();
            }

            int number = i;
            vectors.Add([
                .. Enumerable.Range(0, 9).Select(rank => Enumerable.Repeat(rank + number, 9 * Part).ToArray()),
            ]);
            tasks.Add(
                cube.BeginAll(
                    vectors[^1],
                    static (g, b) => g.ReduceScatterAsync(b, ElementType.Int32, ReduceOperator.Sum)
                )
            );
            tasks.Add(
                cube.BeginAll(
                    [.. vectors[^1].Select(static v => new int[v.Length])],
                    static (g, b) => g.AllGatherAsync(b)
                )
            );
        }

        for (
            int step = 0;
            step < 100_000 && !tasks.TrueForAll(static all => Array.TrueForAll(all, static t => t.IsCompleted));
            step++
        )
        {
            cube.Cube.Advance(TimeSpan.FromMicroseconds(100));
            for (int server = 0; server < 9; server++)
            {
                var pulls = cube.Service(server).Terms.Pulls;
                Assert.InRange(pulls.SendBytes, 0, options.SendMemory);
                Assert.InRange(pulls.ReceiveBytes, 0, options.ReceiveMemory);
            }
        }

        tasks.ForEach(cube.AwaitDone);
        for (int i = 0; i < count; i++)
        {
            int sum = Enumerable.Range(i, 9).Sum();
            for (int rank = 0; rank < 9; rank++)
            {
                Assert.Equal(-1, vectors[i][rank].AsSpan(rank * Part, Part).IndexOfAnyExcept(sum));
            }
        }

        // Each has its edges, and those of nine trees.
        int edges = cube.Service(4).Terms.Pulls.Inputs;
        Assert.Equal((0, true), (edges % count, edges / count > 2 * 8));
        groups.ForEach(opened => cube.Do(opened.Server, opened.Group.Close));
        cube.AssertQuiet();

        void Keep() => groups.AddRange(cube.Members.Select((server, rank) => (server, cube[rank])));
    }
}
