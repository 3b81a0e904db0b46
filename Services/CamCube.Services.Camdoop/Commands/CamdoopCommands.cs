using System.ComponentModel;

namespace CamCube.Services.Camdoop.Commands;

/// <summary>What can be asked of a server's MapReduce from outside. Loop only.</summary>
/// <param name="camdoop">The service.</param>
internal sealed class CamdoopCommands(ICamdoop camdoop)
{
    /// <summary>All of them.</summary>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<NoArguments, CommandResult>(
                "run",
                "Begins a job: a JobDescription as JSON.",
                RunAsync,
                changes: true,
                takesBody: true
            ),
            ServiceCommand.Of<JobArguments, CommandResult>(
                "status",
                "How a job is doing, or how it ended.",
                async (a, _) => Said(await camdoop.FindAsync(a.Job), a.Job)
            ),
            ServiceCommand.Of<JobArguments, CommandResult>(
                "report",
                "What a job has cost: times, bytes, cables, keys and tasks that are heavy.",
                async (a, _) => Said(await camdoop.ReportAsync(a.Job), a.Job)
            ),
            ServiceCommand.Of("jobs", "All jobs that are known.", async _ => await ListAsync()),
            ServiceCommand.Of<JobArguments, CommandResult>(
                "cancel",
                "Ends a job.",
                async (a, _) => Said(await camdoop.CancelAsync(a.Job), a.Job),
                changes: true
            ),
        ];

    private async ValueTask<CommandResult> RunAsync(NoArguments arguments, CommandContext context) =>
        context.TryReadJson(out JobDescription? job, out CommandResult? refusal)
            ? Said(await camdoop.SubmitAsync(job), "")
            : refusal;

    private async ValueTask<CommandResult> ListAsync()
    {
        JobListAnswer answer = await camdoop.ListAsync();
        return answer.Status == JobStatus.Done
            ? CommandResult.Of(answer.Jobs.ToArray())
            : CommandResult.Refused("the file store does not answer now.");
    }

    private static CommandResult Said(JobAnswer answer, string job) =>
        answer switch
        {
            { Status: JobStatus.Done, State: { } state } => CommandResult.Of(state),
            { Words: { } words } => CommandResult.Refused($"{words}."),
            { Status: JobStatus.NotFound } => CommandResult.Refused($"there is no job {job}."),
            { Status: JobStatus.TooLate, State: { } state } => CommandResult.Refused(
                $"it is too late: {job} is {state.Phase}."
            ),
            { Status: JobStatus.Full } => CommandResult.Refused("the disks are full."),
            _ => CommandResult.Refused("too few servers answer now."),
        };

    private static CommandResult Said(JobReportAnswer answer, string job) =>
        answer switch
        {
            { Status: JobStatus.Done, Report: { } report } => CommandResult.Of(report),
            { Words: { } words } => CommandResult.Refused($"{words}."),
            { Status: JobStatus.NotFound } => CommandResult.Refused($"there is no job {job}, or no report of it."),
            _ => CommandResult.Refused("too few servers answer now."),
        };

    private sealed record NoArguments;

    private sealed record JobArguments([Description("the job's name")] string Job);
}
