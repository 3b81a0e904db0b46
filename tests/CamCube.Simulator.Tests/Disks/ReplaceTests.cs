using CamCube.Simulator.Disks;

namespace CamCube.Simulator.Tests.Disks;

/// <summary>A file that is replaced has all of the old content or all of the new, whenever power fails.</summary>
public sealed class ReplaceTests
{
    private static readonly byte[] Old = DiskCube.Bytes(3_000, seed: 1);
    private static readonly byte[] New = DiskCube.Bytes(5_000, seed: 2);

    private long _span;

    [Fact]
    public void The_content_is_replaced_and_nothing_is_left_over()
    {
        using var cube = new DiskCube();
        foreach (byte[] content in (byte[][])[Old, New, [], [1]])
        {
            Assert.Equal(DiskStatus.Done, cube.Await(cube.Disk.ReplaceAsync("state", content)));
            cube.FailPower();
            Assert.Equal(["state"], cube.List());
            Assert.Equal(content, cube.Read(cube.Open("state", create: false)));
        }

        // Names that leave no room for the other one, and what was left of a longer one.
        string longest = new('a', DiskNames.MaxLength - 4);
        Assert.Equal(DiskStatus.Done, cube.Await(cube.Disk.ReplaceAsync(longest, Old)));
        Assert.Throws<ArgumentException>(() => cube.Disk.ReplaceAsync(longest + "b", Old));
        cube.Safe("state.new", New);
        Assert.Equal(DiskStatus.Done, cube.Await(cube.Disk.ReplaceAsync("state", Old)));
        Assert.Equal(Old, cube.Read(cube.Open("state", create: false)));
    }

    [Fact]
    public void Whenever_power_fails_it_is_the_old_or_the_new_one_whole()
    {
        int old = 0,
            none = 0,
            @new = 0,
            leftover = 0;
        for (int i = 0; i < 260; i++)
        {
            using var cube = new DiskCube(seed: (ulong)i + 1);
            using IDisposable survive = cube.Cube.DiskFaults.Add(new SurvivingWrites(i % 3 * 0.5));
            using IDisposable torn = cube.Cube.DiskFaults.Add(new TornWrites(0.5));
            bool isFirst = i % 2 == 1;
            if (!isFirst)
            {
                Assert.Equal(DiskStatus.Done, cube.Await(cube.Disk.ReplaceAsync("state", Old)));
            }

            // Power fails after every number of steps of the replacement: before, in the middle of, and after each of
            // its operations.
            ValueTask<DiskStatus> replaced = cube.Disk.ReplaceAsync("state", New);
            long begin = cube.Cube.NowNanos;
            Assert.False(replaced.IsCompleted);
            if (i < 4)
            {
                // These find out how long it takes.
                Assert.Equal(DiskStatus.Done, cube.Await(replaced));
                _span = Math.Max(_span, cube.Cube.NowNanos - begin);
            }
            else
            {
                cube.Cube.AdvanceTo(begin + (_span * (i / 2) / 125));
            }

            bool isDone = replaced.IsCompleted;
            cube.FailPower();
            IReadOnlyList<string> names = cube.List();
            leftover += names.Contains("state.new") ? 1 : 0;
            byte[]? content = names.Contains("state") ? cube.Read(cube.Open("state", create: false)) : null;
            none += content is null ? 1 : 0;
            old += content?.AsSpan().SequenceEqual(Old) == true ? 1 : 0;
            @new += content?.AsSpan().SequenceEqual(New) == true ? 1 : 0;
            Assert.True(
                content is null
                    ? isFirst
                    : content.AsSpan().SequenceEqual(New) || (!isFirst && content.AsSpan().SequenceEqual(Old)),
                $"run {i}"
            );
            Assert.True(!isDone || content?.AsSpan().SequenceEqual(New) == true, $"run {i} was done");

            // What was left does not stand in the way.
            Assert.Equal(DiskStatus.Done, cube.Await(cube.Disk.ReplaceAsync("state", Old)));
            cube.FailPower();
            Assert.Equal(Old, cube.Read(cube.Open("state", create: false)));
        }

        Assert.True(
            old > 20 && none > 20 && @new > 20 && leftover > 5,
            $"{old} old, {none} none, {@new} new, {leftover} left over"
        );
    }

    [Fact]
    public void A_disk_that_fails_leaves_the_old_or_the_new_one_whole()
    {
        var answers = new HashSet<DiskStatus>();
        for (int i = 0; i < 100; i++)
        {
            using var cube = new DiskCube(seed: (ulong)i + 1);
            Assert.Equal(DiskStatus.Done, cube.Await(cube.Disk.ReplaceAsync("state", Old)));
            DiskStatus status;
            using (cube.Cube.DiskFaults.Add(new DiskWriteFailures(0.2)))
            {
                status = cube.Await(cube.Disk.ReplaceAsync("state", New));
            }

            answers.Add(status);
            byte[] content = cube.Read(cube.Open("state", create: false));
            Assert.True(
                content.AsSpan().SequenceEqual(New)
                    || (status != DiskStatus.Done && content.AsSpan().SequenceEqual(Old)),
                $"run {i}"
            );
        }

        Assert.Equal([DiskStatus.Done, DiskStatus.Failed], answers.Order());
    }
}
