using System.Text;
using CamCube.Services.KeyValue.Tests.Service;
using CamCube.Simulator.Disks;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Crashes;

/// <summary>Power fails before and after disk operations while batches are written, fetched and compacted: of each
/// nothing or all is there then.</summary>
public sealed class BatchCrashPointTests
{
    private const int Tags = 4;
    private const int Keys = 6;
    private const int Rounds = 20;
    private const int Every = 18;

    private static readonly KeyValueOptions Options = new()
    {
        Silence = TimeSpan.FromMilliseconds(60),
        SlowAfter = TimeSpan.FromMilliseconds(200),
        ReplicateAfter = TimeSpan.FromMilliseconds(250),
        Timeout = TimeSpan.FromSeconds(1),
        MaxValueLength = 8 << 10,
        SegmentBytes = 64 << 10,
        TailBytes = 4 << 10,
    };

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(1, 0.5, 0.5)]
    [InlineData(2, 0, 1)]
    [InlineData(3, 1, 0)]
    public void All_of_a_batch_or_nothing_survives(int from, double survive, double tear)
    {
        long[] points;
        using (var whole = new StoreCube(3, 1, 1, Options))
        {
            IReadOnlyList<long> ends = whole.Cube.RecordDisk(0);
            Assert.All(Run(whole, long.MaxValue), told => Assert.Equal(Rounds, told));
            Assert.True(((KeyValueService)whole[0]).Host.Log!.Counts.Compacted > 0);
            points = [.. ends.SelectMany(static end => (long[])[end - 1, end]).Distinct().Order()];
        }

        Assert.InRange(points.Length, 200, 4_000);
        int looked = 0;
        for (int i = from * 2; i < points.Length; i += Every * 4)
        {
            using var cube = new StoreCube(3, 1, 1, Options);
            using IDisposable surviving = cube.Cube.DiskFaults.Add(new SurvivingWrites(survive));
            using IDisposable torn = cube.Cube.DiskFaults.Add(new TornWrites(tear));
            int[] told = Run(cube, points[i]);
            for (int times = 0; times < 2; times++)
            {
                for (int rank = 0; rank < 3; rank++)
                {
                    cube.Cube.Kill(cube.Cube.Shape.At(rank));
                }

                for (int rank = 0; rank < 3; rank++)
                {
                    cube.Cube.Revive(cube.Cube.Shape.At(rank));
                }

                cube.Cube.AwaitConverged();
                cube.AwaitSettled();
                Check(cube, told, $"at {points[i]}");
            }

            looked++;
        }

        Assert.True(looked > 5, $"{looked}");
    }

    // Each round puts its number, and something long, to every key of each tag. What was told of each tag.
    private static int[] Run(StoreCube cube, long until)
    {
        int[] told = new int[Tags];
        var random = new Random(1);
        Pass(cube, until, () => cube[0].ListGroups() is { Count: > 0 } g && g.All(static m => m.Leader is not null));
        for (int round = 1; round <= Rounds && cube.Cube.NowNanos < until; round++)
        {
            if (round == Rounds / 3)
            {
                cube.Cube.Kill(cube.Cube.Shape.At(2));
            }
            else if (round == 2 * Rounds / 3)
            {
                cube.Cube.Revive(cube.Cube.Shape.At(2));
            }

            List<Task<KeyValueBatchAnswer>> open = [];
            for (int tag = 0; tag < Tags; tag++)
            {
                var batch = new KeyValueBatch();
                for (int key = 0; key < Keys; key++)
                {
                    byte[] value = Encoding.UTF8.GetBytes($"{round} {new string('x', random.Next(3_000))}");
                    batch.Put(KeyValueKey.Of($"{{{tag}}}{key}"), value);
                }

                open.Add(cube[tag % 2].ApplyAsync(batch).AsTask());
            }

            Pass(cube, until, () => open.TrueForAll(static o => o.IsCompleted));
            for (int tag = 0; tag < Tags; tag++)
            {
                bool isDone = open[tag] is { IsCompletedSuccessfully: true, Result.Status: Done };
                told[tag] = isDone ? round : told[tag];
            }
        }

        long end = cube.Cube.NowNanos + 13_000_000_000;
        Pass(cube, until, () => cube.Cube.NowNanos >= end);
        return told;
    }

    private static void Check(StoreCube cube, int[] told, string where)
    {
        for (int tag = 0; tag < Tags; tag++)
        {
            var found = new HashSet<string>();
            for (int key = 0; key < Keys; key++)
            {
                (KeyValueAnswer answer, string value) = cube.Get(key % 3, $"{{{tag}}}{key}");
                Assert.True(answer.Status is Done or NotFound, $"{where}: {answer}");
                found.Add($"{answer.Version} {value.Split(' ')[0]}");
            }

            Assert.True(found.Count == 1, $"{where}: {string.Join(", ", found)}");
            int round = found.Single().Split(' ')[1] is { Length: > 0 } number ? int.Parse(number) : 0;
            Assert.True(round >= told[tag], $"{where}: {round} after {told[tag]}");
        }
    }

    private static void Pass(StoreCube cube, long until, Func<bool> done)
    {
        long patience = cube.Cube.NowNanos + 60_000_000_000;
        while (cube.Cube.NowNanos < until && !done())
        {
            Assert.True(cube.Cube.NowNanos < patience, string.Join('\n', cube.Unsettled().Take(3)));
            cube.Cube.Cube.AdvanceTo(Math.Min(cube.Cube.NowNanos + 100_000, until));
        }
    }
}
