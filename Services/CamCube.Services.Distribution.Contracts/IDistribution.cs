namespace CamCube.Services.Distribution;

/// <summary>
/// Files from one server to many, along all trees of the cube at once (HPDC §6.1, SIGCOMM §3.2). A member has a file
/// whole and right, or not at all. Loop only; docs/distribution.md.
/// </summary>
public interface IDistribution
{
    /// <summary>Begins to send a file of this server to others. It goes on by itself, and <see cref="StateOf"/> says
    /// how far.</summary>
    /// <returns>Started, with the number of the job; or why not, in words.</returns>
    ValueTask<DistributionAnswer> SendAsync(DistributionRequest request);

    /// <summary>How far a job is that was begun here. Null: no such job, or it ended too long ago.</summary>
    /// <param name="job">Its number.</param>
    DistributionState? StateOf(ulong job);

    /// <summary>The jobs that were begun here, those that ended not long ago, too, in order.</summary>
    IReadOnlyList<DistributionState> List();

    /// <summary>Ends a job that was begun here. Members that have the file keep it; the others have nothing of
    /// it.</summary>
    /// <param name="job">Its number.</param>
    /// <returns>False: no such job runs here.</returns>
    ValueTask<bool> CancelAsync(ulong job);
}
