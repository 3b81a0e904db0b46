using CamCube.Services.KeyValue.Log;
using CamCube.Simulator.Disks;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>Disks that hang, lose files, rot, and write elsewhere, under churn, compaction and crashes.</summary>
public sealed class LogFaultTests
{
    private static readonly LogOptions Small = new()
    {
        SegmentBytes = 16 << 10,
        BufferBytes = 8 << 10,
        UsesHints = true,
    };

    [Fact]
    public void An_operation_that_never_ends_holds_back_what_waits_for_it_and_a_start_finds_what_was_synced()
    {
        int hung = 0;
        for (ulong seed = 1; seed <= 20; seed++)
        {
            using LogStage stage = Filled(seed);
            using (stage.Cube.DiskFaults.Add(new StuckDiskOperations(0.05)))
            {
                for (int i = 0; i < 60 && stage.Model.Write($"key {i % 20}", 700) == LogAnswer.Taken; i++)
                {
                    stage.Cube.Advance(TimeSpan.FromMilliseconds(100));
                }
            }

            stage.Cube.Advance(TimeSpan.FromSeconds(5));
            hung += stage.Log.IsBehind ? 1 : 0;
            Assert.Null(stage.Model.Failure);
            LogOpening opening = stage.Crash();
            Assert.True(opening.State == LogState.Whole, opening.Words);
            stage.Check();
        }

        Assert.True(hung > 5, $"{hung} of 20 hung");
    }

    [Fact]
    public void Lost_files_are_damage_unless_they_are_hints()
    {
        var states = new Dictionary<LogState, int>();
        int stores = 0;
        for (ulong seed = 1; seed <= 40; seed++)
        {
            using LogStage stage = Filled(seed);
            LogIdentity before = stage.Log.Store;
            HashSet<string> files = [.. stage.Files()];
            using (stage.Cube.DiskFaults.Add(new LostFiles(0.1)))
            {
                stage.Cube.Kill(0);
            }

            stage.Cube.Revive(0);
            LogOpening opening = stage.Open();
            states[opening.State] = states.GetValueOrDefault(opening.State) + 1;
            bool isStoreLost = opening.Words.Contains("'store' is lost", StringComparison.Ordinal);

            string[] lost =
            [
                .. files.Except(stage.Files()).Where(static n => n.EndsWith(".log", StringComparison.Ordinal)),
            ];
            bool isSeen = lost.Length > 0 || isStoreLost;
            stores += isStoreLost ? 1 : 0;
            Assert.True(
                isSeen == (opening.State == LogState.Damaged),
                $"seed {seed}: {opening.State} {string.Join(' ', lost)}"
            );
            Assert.Equal(isSeen, opening.Store != before);
            if (lost.Length == 0)
            {
                stage.Check();
            }
        }

        Assert.True(states.Count == 2 && states.Values.All(static n => n >= 2), string.Join(' ', states));
        Assert.True(stores >= 2, $"{stores}");
    }

    [Fact]
    public void Writes_that_go_astray_and_rot_are_found_by_the_start_the_scrubber_or_the_reader_and_never_given()
    {
        int found = 0;
        for (ulong seed = 1; seed <= 20; seed++)
        {
            using LogStage stage = Filled(seed);
            stage.Model.Repairs = false;
            using (stage.Cube.DiskFaults.Add(new MisplacedWrites(0.03)))
            using (stage.Cube.DiskFaults.Add(new DiskRot(0.01)))
            {
                for (int i = 0; i < 40; i++)
                {
                    stage.Write($"key {i % 20}", 700);
                    stage.Cube.Advance(TimeSpan.FromMilliseconds(200));
                }
            }

            // What can be read is right, whatever the disk did.
            Read(stage);
            LogOpening opening = stage.Crash();
            if (opening.Log is null)
            {
                found++;
                Assert.NotEqual("", opening.Words);
                continue;
            }

            found += opening.State == LogState.Damaged ? 1 : 0;
            Read(stage);
        }

        Assert.True(found >= 5, $"{found} of 20 found");
    }

    private static void Read(LogStage stage)
    {
        foreach ((_, (ulong index, int length, LogLocation at)) in stage.Model.Index.ToArray())
        {
            LogRead read = stage.Test.Await(stage.Log.ReadAsync(at, new byte[at.Length]));
            if (read.Status == DiskStatus.Done && !read.IsRotten && length >= 0)
            {
                Assert.Equal(LogBench.ValueOf(index, length), read.Value.ToArray());
            }
        }
    }

    private static LogStage Filled(ulong seed)
    {
        var stage = new LogStage(Small, seed);
        stage.Open();
        for (int i = 0; i < 80; i++)
        {
            stage.Write($"key {i % 40}", 800);
        }

        stage.Settle();
        stage.Cube.Advance(TimeSpan.FromSeconds(4));
        return stage;
    }
}
