using System.CommandLine;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Distribute;

/// <summary><c>camcube distribute list</c>, <c>status</c> and <c>cancel</c>.</summary>
internal static class JobCommands
{
    /// <summary>All jobs of a host.</summary>
    public static Command List(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("list", "Shows the jobs of all servers of the host, those that are over, too.");
        examples[command] = """
            camcube distribute list
            camcube distribute list --json | jq -r '.[] | select(.state == "running") | .id'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                var distribution = new DistributionHost(host);
                List<(string Server, DistributionJobAnswer Job)> jobs = [];
                foreach (string server in DistributionHost.ServersOf(await distribution.StatusAsync(cancel)))
                {
                    jobs.AddRange((await distribution.JobsAsync(server, cancel)).Select(job => (server, job)));
                }

                string json = ToolJson.Of(jobs.Select(static job => job.Job));
                JsonOrText.Print(parsed, common, json, report => DistributionText.Show(report, jobs));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary>One job.</summary>
    public static Command Status(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string> id = Id();
        var command = new Command("status", "Shows how far each member of a job is.") { id };
        examples[command] = """
            camcube distribute status 5f0c3a9e8d7b6a41
            camcube distribute status 5f0c3a9e8d7b6a41 --json | jq '.members[].rateBitsPerSecond'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                var distribution = new DistributionHost(host);
                string json = await AskAsync(distribution, "status", parsed.GetRequiredValue(id), cancel);
                DistributionJobAnswer job = distribution.Read<DistributionJobAnswer>(json);
                JsonOrText.Print(parsed, common, json, report => DistributionText.Show(report, job));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary>Ends one.</summary>
    public static Command Cancel(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string> id = Id();
        var command = new Command("cancel", "Ends a job: who has the file keeps it, the others have nothing of it.")
        {
            id,
        };
        examples[command] = "camcube distribute cancel 5f0c3a9e8d7b6a41";
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                string job = parsed.GetRequiredValue(id);
                string json = await AskAsync(new DistributionHost(host), "cancel", job, cancel);
                JsonOrText.Print(parsed, common, json, $"Job {job} is cancelled.");
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Argument<string> Id() => new("ID") { Description = "The job, as distribute and list print it" };

    private static async Task<string> AskAsync(
        DistributionHost host,
        string command,
        string job,
        CancellationToken cancel
    )
    {
        string server = await host.ServerOfAsync(job, cancel);
        return await host.AskAsync(server, $"{command}?job={Uri.EscapeDataString(job)}", cancel);
    }
}
