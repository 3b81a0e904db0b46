using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>Tasks that have failed for good and that a job goes on without, written down: what is left out once is left
/// out by whoever leads next, too, as reduces have begun without it. Loop only.</summary>
/// <param name="book">What is kept of jobs.</param>
/// <param name="number">The job's number.</param>
internal sealed class LeftOut(JobBook book, ulong number)
{
    /// <summary>Reads who is left out.</summary>
    /// <returns>False: not now.</returns>
    public async ValueTask<bool> LoadAsync(Assignment assignment, Job job)
    {
        if (job.Description is { MapFailuresPercent: 0, ReduceFailuresPercent: 0 })
        {
            return true;
        }

        if (await book.ReadLeftOutAsync(number) is not { } left)
        {
            return false;
        }

        foreach ((bool isMap, int task) in left)
        {
            assignment.LeaveOut(isMap, task);
        }

        return true;
    }

    /// <summary>Writes down who was given up.</summary>
    public async ValueTask WriteAsync(Assignment assignment)
    {
        foreach ((bool isMap, int task) in assignment.GivenUp.ToArray())
        {
            FileStatus written = await book.LeaveOutAsync(number, isMap, task);
            if (written is FileStatus.Done or FileStatus.Exists)
            {
                assignment.LeaveOut(isMap, task);
            }
        }
    }
}
