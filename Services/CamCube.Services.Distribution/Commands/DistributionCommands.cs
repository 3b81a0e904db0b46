using System.ComponentModel;
using System.Globalization;
using CamCube.Services.Distribution.Jobs;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Commands;

/// <summary>What can be asked of a server's distribution from outside. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="distribution">The service.</param>
/// <param name="planOf">The trees of a job; null: there is none, or they are not known yet.</param>
/// <param name="files">Its files.</param>
internal sealed class DistributionCommands(
    IServer server,
    IDistribution distribution,
    Func<ulong, TreePlan?> planOf,
    FolderFiles files
)
{
    /// <summary>All of them.</summary>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<PutArguments, CommandResult>(
                "put",
                "Adds a part of a file to this server's folder; the last one gives it its name.",
                async (a, context) =>
                    Said(await files.PutAsync(a.Name, a.Upload, a.Offset, context.Body, a.IsLast, a.Replaces)),
                changes: true,
                takesBody: true
            ),
            ServiceCommand.Of<SendArguments, CommandResult>(
                "send",
                "Sends a file of this server's folder to other servers.",
                SendAsync,
                changes: true
            ),
            ServiceCommand.Of("jobs", "Jobs that were begun here.", _ => new ValueTask<CommandResult>(Jobs())),
            ServiceCommand.Of<JobArguments, CommandResult>(
                "status",
                "How far a job is that was begun here.",
                (a, _) => new ValueTask<CommandResult>(Status(a.Job))
            ),
            ServiceCommand.Of<JobArguments, CommandResult>(
                "cancel",
                "Ends a job that was begun here.",
                async (a, _) =>
                    TryRead(a.Job, out ulong job) && await distribution.CancelAsync(job)
                        ? CommandResult.Done
                        : CommandResult.Refused($"no job {a.Job} runs here."),
                changes: true
            ),
            ServiceCommand.Of<JobArguments, CommandResult>(
                "trees",
                "The trees of a job that was begun here: each server's parent, and who plays its part now.",
                (a, _) => new ValueTask<CommandResult>(Trees(a.Job))
            ),
            ServiceCommand.Of("files", "The files in this server's folder.", async _ => await FilesAsync()),
            ServiceCommand.Of<RemoveArguments, CommandResult>(
                "remove",
                "Deletes a file of this server's folder.",
                async (a, _) => Said(await files.RemoveAsync(a.Name)),
                changes: true
            ),
        ];

    private async ValueTask<CommandResult> SendAsync(SendArguments arguments, CommandContext context)
    {
        DistributionAnswer answer = await distribution.SendAsync(
            new DistributionRequest(arguments.File)
            {
                To = arguments.To ?? [],
                Replaces = arguments.Replaces,
                Weight = arguments.Weight,
                Limit = arguments.Limit,
                Trees = arguments.Trees,
                Code = arguments.Code,
            }
        );
        return answer.Status == DistributionStatus.Started
            ? CommandResult.Of(new StartedRow(NameOf(answer.Job)))
            : CommandResult.Refused($"{answer.Words}.");
    }

    private CommandResult Jobs() => CommandResult.Of(distribution.List().Select(JobRow.Of).ToArray());

    private CommandResult Status(string name) =>
        TryRead(name, out ulong job) && distribution.StateOf(job) is { } state
            ? CommandResult.Of(JobRow.Of(state))
            : CommandResult.Refused($"there is no job {name} here.");

    private CommandResult Trees(string name)
    {
        if (!TryRead(name, out ulong job) || planOf(job) is not { } plan)
        {
            return CommandResult.Refused($"there is no job {name} here, or it is still being prepared.");
        }

        HashSet<Coordinate> members = [.. distribution.StateOf(job)!.Members.Select(static member => member.Server)];
        return CommandResult.Of(
            TreeRow.Of(
                plan,
                (tree, at) => server.Topology.RootOf(new VertexId(job, 0, 0, (byte)tree, at).ToKey()),
                members.Contains
            )
        );
    }

    private async ValueTask<CommandResult> FilesAsync()
    {
        DiskResult<IReadOnlyList<DiskEntry>> listed = await files.ListAsync();
        return listed.Value is { } entries
            ? CommandResult.Of(entries.Select(static entry => new FileRow(entry.Name, entry.Length)).ToArray())
            : CommandResult.Refused($"{Pieces.DiskWords.Of(listed.Status)}.");
    }

    private static CommandResult Said(string? wrong) =>
        wrong is null ? CommandResult.Done : CommandResult.Refused($"{wrong}.");

    private static bool TryRead(string name, out ulong job) =>
        ulong.TryParse(name, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out job);

    /// <summary>A job's number as people see it.</summary>
    public static string NameOf(ulong job) => job.ToString("x16", CultureInfo.InvariantCulture);

    private sealed record PutArguments(
        [Description("the file's name")] string Name,
        [Description("a number that all parts of the file have, and no other")] long Upload,
        [Description("where the part begins")] long Offset,
        [Description("no part follows")] bool IsLast,
        [Description("whether a file of this name is replaced")] bool Replaces = false
    );

    private sealed record SendArguments(
        [Description("the file's name")] string File,
        [Description("who is to have it; nobody named: all servers")] Coordinate[]? To = null,
        [Description("whether a file of this name is replaced")] bool Replaces = false,
        [Description("how it shares links with other jobs, 1 to 1000")] int Weight = 1,
        [Description("most bytes per second and member")] long? Limit = null,
        [Description("which trees it goes along: Six, One or MiniCube")]
            DistributionTrees Trees = DistributionTrees.Six,
        [Description("how many of the trees carry parity, 0 to 2")] int Code = 0
    );

    private sealed record JobArguments([Description("the job's number")] string Job);

    private sealed record RemoveArguments([Description("the file's name")] string Name);
}
