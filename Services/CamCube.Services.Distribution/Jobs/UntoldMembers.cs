using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>
/// Members that may not know of a job whose source is lost: those that were away when it told them, or that were
/// started again since. Whoever has the job tells them, one each time, until each has said that it knows. Loop only.
/// </summary>
/// <param name="terms">What all jobs have in common.</param>
/// <param name="job">The job.</param>
internal sealed class UntoldMembers(JobTerms terms, Job job)
{
    // The run of each member that has said that it knows.
    private readonly Dictionary<Coordinate, ulong> _knows = [];
    private int _at = terms.Server.Shape.RankOf(terms.Server.Coordinate);

    /// <summary>The next one to be told; null: there is none, or the source is there and does it.</summary>
    public Coordinate? Next()
    {
        ITopologyView topology = terms.Server.Topology;
        TorusShape shape = terms.Server.Shape;
        for (int i = 0; i < shape.Count && !topology.IsReachable(job.Manifest.Source); i++)
        {
            _at = (_at + 1) % shape.Count;
            Coordinate member = shape.At(_at);
            if (
                member != terms.Server.Coordinate
                && job.Manifest.HasMember(_at)
                && topology.IsReachable(member)
                && _knows.GetValueOrDefault(member) != topology.IncarnationOf(member)
            )
            {
                return member;
            }
        }

        return null;
    }

    /// <summary>Tells one.</summary>
    public async ValueTask TellAsync(IMemberLine line, Coordinate member)
    {
        ulong run = terms.Server.Topology.IncarnationOf(member);
        MemberReport? said = await line.AskAsync(job.Manifest.JobNumber, DistributionKind.Tell, default, member);
        if (said is { Stage: not MemberStage.Waiting })
        {
            _knows[member] = run;
        }
    }
}
