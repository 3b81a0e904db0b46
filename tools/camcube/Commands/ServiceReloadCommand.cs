using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube service reload</c>: new code for a service that runs.</summary>
internal static class ServiceReloadCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string> service = new("SERVICE") { Description = "Name of the service, as 'service list' shows it." };
        Option<string> from = new("--from")
        {
            Description =
                "Where its assembly is now: a folder or a file at the host, relative to its folder of services; "
                + "where it was if not given.",
            HelpName = "DIR",
        };
        Option<Duration> timeout = Values.Time(
            "--timeout",
            "How long it may take",
            TimeSpan.FromMinutes(2),
            TimeSpan.FromMilliseconds(100),
            TimeSpan.FromHours(1)
        );
        var command = new Command("reload", "Puts new code in the place of a service, server by server.")
        {
            service,
            from,
            timeout,
        };
        examples[command] = """
            camcube service reload hello                         its assembly was built anew
            camcube service reload hello --from hello-2          it lies in another folder now
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                string query = parsed.GetValue(from) is { } folder ? $"?from={Uri.EscapeDataString(folder)}" : "";
                string json = await host.PostAsync(
                    $"/api/services/{Uri.EscapeDataString(parsed.GetRequiredValue(service))}/reload{query}",
                    parsed.GetValue(timeout).Value,
                    cancel
                );
                ReloadAnswer answer = host.Read<ReloadAnswer>(json);
                JsonOrText.Print(parsed, common, json, report => ReloadText.Show(report, answer));
                return answer.Problem is null
                    ? ExitCode.Ok
                    : throw new ToolException(ExitCode.Failed, $"the reload did not go well: {answer.Problem}");
            }
        );
        return command;
    }
}
