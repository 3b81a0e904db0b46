using System.CommandLine;
using System.Text.Json;
using CamCube.Swarm.Determinism;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube sim determinism-run</c>: what <see cref="DeterminismCommand"/> starts in processes of their own.
/// Hidden.</summary>
internal static class DeterminismRunCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var request = new Argument<string>("REQUEST") { Description = "JSON of what to run." };
        var command = new Command(
            "determinism-run",
            "Runs one scenario of 'sim determinism' and prints its checkpoints and events as JSON."
        )
        {
            request,
        };
        command.Hidden = true;
        command.SetAction(parsed =>
        {
            RunRequest asked;
            try
            {
                asked = JsonSerializer.Deserialize<RunRequest>(parsed.GetValue(request)!, ToolJson.Options)!;
            }
            catch (JsonException e)
            {
                throw new ToolException(ExitCode.Usage, $"the request is not understood: {e.Message}");
            }

            RunResult result = ScenarioRun.Run(asked, out IReadOnlyList<RunEvent> events);
            var report = new Report(parsed.InvocationConfiguration.Output);
            report.Line(ToolJson.Of(result));
            if (asked.RecordUntilNanos is not null)
            {
                foreach (RunEvent line in events)
                {
                    report.Line(ToolJson.Of(line));
                }
            }

            return ExitCode.Ok;
        });
        return command;
    }
}
