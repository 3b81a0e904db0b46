using System.CommandLine;
using CamCube.Services.Camdoop;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Camdoop;

/// <summary><c>camcube camdoop list</c>, <c>status</c>, <c>counters</c>, <c>logs</c>, <c>report</c> and
/// <c>cancel</c>.</summary>
internal static class JobCommands
{
    private const string Example = "job_1795958169907_0001";

    /// <summary>All of them.</summary>
    public static IEnumerable<Command> All(CommonOptions common, Dictionary<Command, string> examples)
    {
        yield return List(common, examples);
        yield return Of(
            common,
            examples,
            "status",
            "Shows how a job is doing, or how it ended.",
            $"""
            camcube camdoop status {Example}
            camcube camdoop status {Example} --json | jq .maps.done
            """,
            CamdoopText.Show
        );
        yield return Of(
            common,
            examples,
            "counters",
            "Shows what a job has counted.",
            $"camcube camdoop counters {Example}",
            CamdoopText.ShowCounters
        );
        yield return Of(
            common,
            examples,
            "logs",
            "Shows the attempts of a job that failed, and what their programs said on standard error.",
            $"camcube camdoop logs {Example}",
            CamdoopText.ShowFailures
        );
        yield return ReportOf(common, examples);
        yield return Cancel(common, examples);
    }

    private static Command ReportOf(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string> job = Job();
        var command = new Command(
            "report",
            "Shows what a job has cost: time by phase, bytes by step and cable, heavy keys and tasks."
        )
        {
            job,
        };
        examples[command] = $"""
            camcube camdoop report {Example}
            camcube camdoop report {Example} --json | jq '.bytes.sent / .bytes.unaggregated'
            camcube camdoop report {Example} --json | jq -r '.keys.heaviest[] | [.key, .atMost] | @tsv'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new CamdoopHost(new ToolHost(parsed.GetRequiredValue(common.Host)));
                JobReport said = await host.ReportAsync(parsed.GetRequiredValue(job), cancel);
                JsonOrText.Print(parsed, common, CamdoopHost.TextOf(said), report => JobReportText.Show(report, said));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Command List(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("list", "Shows all jobs that the cube knows, the newest first.");
        examples[command] = """
            camcube camdoop list
            camcube camdoop list --json | jq -r '.[] | select(.phase == "failed") | .name'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new CamdoopHost(new ToolHost(parsed.GetRequiredValue(common.Host)));
                IReadOnlyList<JobState> jobs = await host.ListAsync(cancel);
                JsonOrText.Print(parsed, common, CamdoopHost.TextOf(jobs), report => CamdoopText.Show(report, jobs));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Command Of(
        CommonOptions common,
        Dictionary<Command, string> examples,
        string name,
        string description,
        string example,
        Action<Report, JobState> show
    )
    {
        Argument<string> job = Job();
        var command = new Command(name, description) { job };
        examples[command] = example;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new CamdoopHost(new ToolHost(parsed.GetRequiredValue(common.Host)));
                JobState state = await host.FindAsync(parsed.GetRequiredValue(job), cancel);
                JsonOrText.Print(parsed, common, CamdoopHost.TextOf(state), report => show(report, state));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Command Cancel(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string> job = Job();
        var command = new Command("cancel", "Ends a job; nothing of its output is left.") { job };
        examples[command] = $"camcube camdoop cancel {Example}";
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new CamdoopHost(new ToolHost(parsed.GetRequiredValue(common.Host)));
                JobState state = await host.CancelAsync(parsed.GetRequiredValue(job), cancel);
                JsonOrText.Print(parsed, common, CamdoopHost.TextOf(state), $"{state.Name} is cancelled.");
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Argument<string> Job() => new("JOB") { Description = "The job, as list prints it" };
}
