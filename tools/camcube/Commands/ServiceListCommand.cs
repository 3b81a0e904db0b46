using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube service list</c>: services with their states and commands.</summary>
internal static class ServiceListCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command(
            "list",
            "Shows the services of the host's servers, and the commands that they can be asked."
        );
        examples[command] = """
            camcube service list
            camcube service list --json                          one line of JSON, with every argument
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                IReadOnlyList<ListedService> services = await FindAsync(host, cancel);
                JsonOrText.Print(parsed, common, ToolJson.Of(services), report => Show(report, services));

                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static async Task<IReadOnlyList<ListedService>> FindAsync(ToolHost host, CancellationToken cancel)
    {
        StatusAnswer status = await host.StatusAsync(cancel);
        var found = new List<ListedService>();
        foreach (
            var places in status
                .Servers.SelectMany(server => server.Services.Select(service => (server.Rank, Service: service)))
                .GroupBy(place => place.Service.Name)
        )
        {
            var (rank, asked) = places.FirstOrDefault(place =>
                place.Service is { State: "running", Commands.Count: > 0 }
            );
            IReadOnlyList<CommandAnswer> commands = asked is null
                ? []
                : host.Read<CommandsAnswer>(
                    await host.GetAsync($"/api/servers/{rank}/services/{places.Key}/commands", cancel)
                ).Commands;
            found.Add(
                new ListedService(
                    places.Key,
                    places.First().Service.Id,
                    places.Count(place => place.Service.State == "running"),
                    places.Count(),
                    CodeText.Of(places.Select(place => place.Service)),
                    commands
                )
            );
        }

        return found;
    }

    private static void Show(Report report, IReadOnlyList<ListedService> services)
    {
        Table table = Report.Table("service", "id", ">running on", "code", "commands");
        foreach (ListedService service in services)
        {
            string commands =
                service.Commands.Count == 0 ? "-" : string.Join(", ", service.Commands.Select(c => c.Name));
            Report.Row(
                table,
                service.Name,
                service.Id,
                $"{service.Running} of {service.Servers}",
                service.Code,
                commands
            );
        }

        report.Print(table);
        foreach (ListedService service in services.Where(service => service.Commands.Count > 0))
        {
            Show(report, service);
        }
    }

    private static void Show(Report report, ListedService service)
    {
        foreach (CommandAnswer command in service.Commands)
        {
            string[] notes =
            [
                .. command.Changes ? ["changes something"] : Array.Empty<string>(),
                .. command.TakesBody ? ["takes a body"] : Array.Empty<string>(),
            ];
            report.Line("");
            report.Line(
                $"{service.Name} {command.Name}: "
                    + $"{command.Description}{(notes.Length > 0 ? $" ({string.Join(", ", notes)})" : "")}"
            );
            foreach (CommandArgument argument in command.Arguments)
            {
                string standard =
                    argument.IsRequired ? "required"
                    : argument.Default is { } value ? $"default {value}"
                    : "optional";
                string description = argument.Description.Length > 0 ? $": {argument.Description}" : "";
                report.Line($"  {argument.Name}{description} ({argument.Type}; {standard})");
            }
        }
    }

    private sealed record ListedService(
        string Name,
        string Id,
        int Running,
        int Servers,
        string Code,
        IReadOnlyList<CommandAnswer> Commands
    );
}
