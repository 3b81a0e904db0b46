using CamCube.Services.Camdoop.Counting;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Tasks;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Camdoop.Commands;

/// <summary>Where jobs are begun: looks whether they may be, and writes them into the file store. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="options">What is allowed.</param>
/// <param name="book">Keeps jobs.</param>
/// <param name="store">Gets pairs of outputs.</param>
/// <param name="counters">What the server counts.</param>
/// <param name="find">Asks for a job, which has it led.</param>
internal sealed class JobDesk(
    IServer server,
    CamdoopOptions options,
    JobBook book,
    Dependency<IKeyValueStore> store,
    CamdoopCounters counters,
    Func<string, ValueTask<JobAnswer>> find
)
{
    /// <summary>Begins a job, as <see cref="ICamdoop.SubmitAsync"/> says.</summary>
    public async ValueTask<JobAnswer> SubmitAsync(JobDescription job)
    {
        if ((JobChecks.WrongOf(job) ?? JobChecks.WrongOfServers(job, server.Shape) ?? LostServerOf(job)) is { } wrong)
        {
            return new JobAnswer(JobStatus.BadJob) { Words = wrong };
        }

        if (job.Pairs is { Table: var table } && store.IsAvailable && store.Value.CopiesOf(table) == 0)
        {
            string missing = $"there is no table {table} in the key-value store (CamCube:Services:kv:Tables)";
            return new JobAnswer(JobStatus.BadJob) { Words = missing };
        }

        string? unallowed =
            !options.Programs && JobChecks.HasPrograms(job)
                ? "programs of jobs are not allowed here (CamCube:Services:camdoop:Programs)"
            : !options.Assemblies && JobChecks.HasFunctions(job) ? FunctionHost.NotAllowed
            : null;
        if (unallowed is not null)
        {
            return new JobAnswer(JobStatus.NotAllowed) { Words = unallowed };
        }

        long now = server.TimeProvider.GetUtcNow().ToUnixTimeMilliseconds();
        int most =
            job.Combine is not null && job.CombinesOnTheWay && job.Combine.Kind != JobFunctionKind.Program
                ? options.MostCombined
                : options.MostRecord;
        var record = new JobRecord(job, now, options.SortBytes, most);
        for (int ordinal = 1; ordinal <= JobName.PerMillisecond; ordinal++)
        {
            ulong number = JobName.NumberOf(now, ordinal);
            FileStatus written = await book.WriteAsync(number, JobBook.DescriptionName, record);
            if (written == FileStatus.Done)
            {
                counters.Begun.Add();
                // Who is asked about it leads it from then on; if nobody answers it is found later.
                JobAnswer led = await find(JobName.Of(number));
                if (led is { Status: JobStatus.Done, State: not null })
                {
                    return led;
                }

                var state = new JobState(JobName.Of(number), JobPhase.Planning)
                {
                    Title = job.Title,
                    Output = job.Output,
                    Begun = DateTimeOffset.FromUnixTimeMilliseconds(now),
                };
                return new JobAnswer(JobStatus.Done, state);
            }

            if (written != FileStatus.Exists)
            {
                bool isFull = written is FileStatus.Full or FileStatus.OverQuota;
                return new JobAnswer(isFull ? JobStatus.Full : JobStatus.Unavailable);
            }
        }

        return new JobAnswer(JobStatus.Unavailable);
    }

    // Who names servers wants these, and not what is done when one is lost.
    private string? LostServerOf(JobDescription job)
    {
        foreach (int rank in job.Servers ?? [])
        {
            if (!server.Topology.IsReachable(server.Shape.At(rank)))
            {
                return $"server {rank} ({server.Shape.At(rank)}) cannot be reached now";
            }
        }

        return null;
    }
}
