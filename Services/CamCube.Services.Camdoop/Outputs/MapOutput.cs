using CamCube.Services.Camdoop.Vertices;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Outputs;

/// <summary>All that one map task gave, in runs, kept until its job is over. Loop only.</summary>
/// <param name="task">The task's number.</param>
/// <param name="runs">The runs, in the order in which they were sorted.</param>
internal sealed class MapOutput(int task, IReadOnlyList<KeptRun> runs)
{
    /// <summary>The task's number.</summary>
    public int Task => task;

    /// <summary>Bytes of all runs.</summary>
    public long Length => runs.Sum(static run => run.Length);

    /// <summary>A run cannot be read back: it is to be done again.</summary>
    public string? Broken { get; set; }

    /// <summary>The records of a group, in order; of one key in that of the runs.</summary>
    public IRecordRun Open(int group, MergePosition position, Action more)
    {
        var merge = new RunMerge(more);
        foreach (KeptRun run in runs)
        {
            if (run.Open(group, position, merge.OnMore) is { } records)
            {
                merge.Add(records);
            }
        }

        return merge;
    }

    /// <summary>Nobody needs it any more.</summary>
    public void Release()
    {
        foreach (KeptRun run in runs)
        {
            run.Release();
        }
    }
}
