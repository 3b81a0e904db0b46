using CamCube.Services.KeyValue.Members;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Disks on which the same keys are written again and again, with servers that fail meanwhile.</summary>
public sealed class CompactionTests
{
    private const int Keys = 60;
    private static readonly KeyValueOptions Small = new()
    {
        MaxValueLength = 8 << 10,
        SegmentBytes = 512 << 10,
        TailBytes = 16 << 10,
        ReplicateAfter = TimeSpan.FromSeconds(4),
    };

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void What_is_there_stays_and_what_is_not_needed_goes(int seed)
    {
        using var cube = new StoreCube(4, 1, 1, Small);
        cube.AwaitLed();
        var random = new Random(seed);
        var model = new Dictionary<int, string>();
        int away = -1;
        for (int round = 0; round < 60; round++)
        {
            if (away >= 0 && random.Next(3) == 0)
            {
                cube.Cube.Revive(cube.Cube.Shape.At(away), emptyDisk: random.Next(4) == 0);
                cube.Cube.AwaitConverged();
                cube.AwaitSettled();
                away = -1;
            }
            else if (away < 0 && random.Next(3) == 0)
            {
                away = random.Next(4);
                cube.Cube.Kill(cube.Cube.Shape.At(away));
            }

            int rank = away == 0 ? 1 : 0;
            for (int i = 0; i < 40; i++)
            {
                int key = random.Next(Keys);
                if (random.Next(8) == 0)
                {
                    Assert.Equal(model.Remove(key) ? Done : NotFound, cube.Delete(rank, $"key {key}").Status);
                    continue;
                }

                model[key] = $"{round} {i} {new string('x', random.Next(8_000))}";
                Assert.Equal(Done, cube.Put(rank, $"key {key}", model[key]).Status);
            }
        }

        if (away >= 0)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(away));
        }

        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Check(cube, model);
        for (int times = 0; times < 3; times++)
        {
            for (int rank = 0; rank < 4; rank++)
            {
                cube.Cube.Kill(cube.Cube.Shape.At(rank));
            }

            for (int rank = 0; rank < 4; rank++)
            {
                cube.Cube.Revive(cube.Cube.Shape.At(rank));
            }

            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
            Check(cube, model);
        }

        cube.Cube.Advance(TimeSpan.FromMinutes(2));
        for (int rank = 0; rank < 4; rank++)
        {
            MemberHost host = ((KeyValueService)cube[rank]).Host;
            Assert.Equal("", host.Failure);
            long bytes = host.Log!.Segments.All.Sum(s => s.File.Length);
            Assert.True(bytes < (4 * host.Needed) + (4 * Small.SegmentBytes), $"{bytes} bytes for {host.Needed}");
            Assert.InRange(host.Needed, 50_000, 900_000);
        }

        cube.Cube.AssertQuiet();
    }

    private static void Check(StoreCube cube, Dictionary<int, string> model)
    {
        for (int key = 0; key < Keys; key++)
        {
            (KeyValueAnswer answer, string value) = cube.Get(key % 4, $"key {key}");
            Assert.Equal(model.TryGetValue(key, out string? expected) ? Done : NotFound, answer.Status);
            Assert.Equal(expected ?? "", value);
        }
    }
}
