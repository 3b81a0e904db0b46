using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Records;
using CamCube.Services.Camdoop.Wire;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Vertices;

/// <summary>What the vertices of one reduce have to know on one server. Loop only.</summary>
/// <param name="job">The job.</param>
/// <param name="reduce">The reduce.</param>
/// <param name="combiner">Makes one pair of those with one key on the way; null: nothing does.</param>
/// <param name="terms">How pulls share links and memory.</param>
/// <param name="open">Opens the pairs of a map task: its number, the vertex, from where on, and whom to tell.</param>
/// <param name="fail">The job cannot go on.</param>
/// <param name="resumesAt">A mistake that is made on purpose: who pulls again says its key only.</param>
/// <param name="combineLater">Has the combiner combine a window off the loop; null: it is fast, and ours.</param>
internal sealed class VertexJob(
    Job job,
    int reduce,
    IPairCombiner? combiner,
    PullTerms terms,
    Func<int, VertexId, MergePosition, Action, IRecordRun> open,
    Action<string> fail,
    bool resumesAt,
    Action<CombineWindow, Action<string?>>? combineLater = null
) : IMergeJob<PairPull>
{
    /// <inheritdoc/>
    public bool Combines => combiner is not null;

    /// <inheritdoc/>
    public bool CombinesLater => combineLater is not null;

    /// <inheritdoc/>
    public int MostRecord => job.Record.MostRecord;

    /// <inheritdoc/>
    public TreePlan Plan { get; } = job.PlanOf(reduce);

    /// <inheritdoc/>
    public PullTerms Terms => terms;

    /// <inheritdoc/>
    public PairPull From(in VertexId vertex, MergePosition position) =>
        new(PairPull.OfVertex, resumesAt ? position with { Taken = 0 } : position);

    /// <inheritdoc/>
    public IRecordRun Own(in VertexId vertex, MergePosition position, Action more)
    {
        // Those of equal keys come in the order of the tasks, wherever they are.
        var merge = new RunMerge(more);
        foreach (int task in job.TasksAt(vertex.At))
        {
            merge.Add(open(task, vertex, position, merge.OnMore));
        }

        return Combines ? new BehindRun(merge, position) : merge;
    }

    /// <inheritdoc/>
    public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result) =>
        combiner!.Combine(key, left, right, result);

    /// <inheritdoc/>
    public void CombineLater(CombineWindow window, Action<string?> done) => combineLater!(window, done);

    /// <inheritdoc/>
    public void Fail(in VertexId vertex, string words) => fail($"{vertex.At}: {words}");
}
