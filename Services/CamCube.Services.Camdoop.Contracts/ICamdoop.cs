namespace CamCube.Services.Camdoop;

/// <summary>
/// MapReduce on the cube as other services and front ends of the same server see it (NSDI'12): a job can be begun,
/// looked at and cancelled at any server, and goes on whoever of them dies. docs/camdoop.md says what is guaranteed.
/// Loop only; from other threads through <see cref="IServerGate"/>. Nothing here throws for what a network, a disk, a
/// program or a client does: see <see cref="JobStatus"/>.
/// </summary>
public interface ICamdoop
{
    /// <summary>Begins a job.</summary>
    /// <param name="job">What is to be done. Whether inputs are there and the output is not is looked at
    /// later: the job fails by it.</param>
    /// <returns>Done with the job as it begins; BadJob with words, NotAllowed, Full or Unavailable: nothing was
    /// begun.</returns>
    ValueTask<JobAnswer> SubmitAsync(JobDescription job);

    /// <summary>How a job is doing, or how it ended.</summary>
    /// <param name="job">Its name.</param>
    /// <returns>Done, NotFound, BadJob (no such name can be), or Unavailable: nobody who knows answers now.</returns>
    ValueTask<JobAnswer> FindAsync(string job);

    /// <summary>What a job has cost so far, or did. All servers are asked, at most twice a second for a job; of one
    /// that is over it is read from the file store.</summary>
    /// <param name="job">Its name.</param>
    /// <returns>Done; NotFound: there is no such job, or it ended without a report; BadJob or Unavailable.</returns>
    ValueTask<JobReportAnswer> ReportAsync(string job);

    /// <summary>All jobs that the cube still knows, newest first. Allocates.</summary>
    /// <returns>Done or Unavailable.</returns>
    ValueTask<JobListAnswer> ListAsync();

    /// <summary>Ends a job, with all that runs for it, and deletes what there is of its output.</summary>
    /// <param name="job">Its name.</param>
    /// <returns>Done: it is, or has been, cancelled; TooLate: it has ended, or its output is being named already;
    /// NotFound, BadJob or Unavailable.</returns>
    ValueTask<JobAnswer> CancelAsync(string job);
}
