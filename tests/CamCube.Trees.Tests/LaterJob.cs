namespace CamCube.Trees.Tests;

/// <summary>A job as one server plays it, whose values are combined off the loop.</summary>
internal sealed class LaterJob(TallyJob job, IServer server) : IMergeJob<MergeRequest>
{
    public bool Combines => job.Combines;

    public bool CombinesLater => true;

    public int MostRecord => job.MostRecord;

    public TreePlan Plan => job.Plan;

    public PullTerms Terms => job.Terms;

    public MergeRequest From(in VertexId vertex, MergePosition position) => job.From(vertex, position);

    public IRecordRun Own(in VertexId vertex, MergePosition position, Action more) => job.Own(vertex, position, more);

    public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result) =>
        throw new InvalidOperationException("on the loop");

    public void CombineLater(CombineWindow window, Action<string?> done) =>
        server.Loop.Run(async () =>
        {
            OffloadResult<string?> result = await server.Work.OffloadAsync(
                static (s, _) => s.window.Run(s.combine),
                (window, combine: (ValueCombiner)job.Combine),
                new OffloadOptions { Cost = TimeSpan.FromMicroseconds(20) }
            );
            if (result.Status != OffloadStatus.Stopped)
            {
                done(result.IsDone ? result.Value : result.Status.ToString());
            }
        });

    public void Fail(in VertexId vertex, string words) => job.Fail(vertex, words);
}
