using CamCube.Services.Camdoop.Sketches;
using CamCube.Services.Camdoop.Vertices;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Outputs;

/// <summary>All that one map task gave, in runs, kept until its job is over. Loop only.</summary>
/// <param name="runs">The runs, in the order in which they were sorted.</param>
/// <param name="keys">The heaviest keys of the pairs that it is of.</param>
internal sealed class MapOutput(IReadOnlyList<KeptRun> runs, SketchRecord keys)
{
    /// <summary>The heaviest keys of the pairs that it is of.</summary>
    public SketchRecord Keys => keys;

    /// <summary>Bytes of all records.</summary>
    public long Length => runs.Sum(static run => run.Length);

    /// <summary>Adds the bytes that each group has.</summary>
    public void AddSizes(Span<long> sizes)
    {
        foreach (KeptRun run in runs)
        {
            run.AddSizes(sizes);
        }
    }

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
