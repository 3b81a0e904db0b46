using System.CommandLine;
using System.Net.Http.Headers;
using System.Text.Json;
using System.Text.Json.Nodes;
using CamCube.Administration;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube service call</c>: runs a command of a service.</summary>
internal static class ServiceCallCommand
{
    private static readonly JsonSerializerOptions Indented = new(ToolJson.Options) { WriteIndented = true };

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string> service = new("SERVICE") { Description = "Name of the service, as 'service list' shows it." };
        Argument<string> name = new("COMMAND") { Description = "One of its commands." };
        Argument<string[]> arguments = new("NAME=VALUE")
        {
            Description = "Arguments of the command.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        Option<ServerName?> at = Values.Optional<ServerName>(
            "--at",
            "SERVER",
            "The server that runs it, by rank or coordinate; the host's first one if not given.",
            ServerName.TryParse,
            "is not a server; name it by rank, as in 13, or by coordinate, as in 1,1,1"
        );
        Option<bool> all = new("--all") { Description = "Every server of this host that runs, one after the other." };
        Option<string> body = new("--body") { Description = "File with the bytes that go with it.", HelpName = "FILE" };
        Option<string> to = new("--out") { Description = "File for an answer that is no JSON.", HelpName = "FILE" };
        Option<Duration> timeout = Values.Time(
            "--timeout",
            "How long it may take",
            TimeSpan.FromMinutes(1),
            TimeSpan.FromMilliseconds(100),
            TimeSpan.FromHours(1)
        );
        var command = new Command("call", "Runs a command of a service.")
        {
            service,
            name,
            arguments,
            at,
            all,
            body,
            to,
            timeout,
        };
        examples[command] = """
            camcube service call diagnostics ping to=2,1,2 count=3
            camcube service call diagnostics load for=5s --at 13         fill the links of server 13
            camcube service call cache statistics of=server --all        every server's own counters
            camcube service call images put name=cat --body cat.png      bytes go with it
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                string order =
                    $"services/{Uri.EscapeDataString(parsed.GetRequiredValue(service))}/"
                    + Uri.EscapeDataString(parsed.GetRequiredValue(name))
                    + Query(parsed.GetValue(arguments) ?? []);
                byte[]? bytes = parsed.GetValue(body) is { } file ? ReadBody(file) : null;
                var call = new Call(host, order, parsed.GetValue(body), bytes, parsed.GetValue(timeout).Value);
                var report = new Report(parsed.InvocationConfiguration.Output);
                bool json = parsed.GetValue(common.Json);
                if (parsed.GetValue(all))
                {
                    return parsed.GetValue(at) is null && parsed.GetValue(to) is null
                        ? await AllAsync(call, report, json, cancel)
                        : throw new ToolException(ExitCode.Usage, "--all goes without --at and --out.");
                }

                string server = parsed.GetValue(at)?.Text ?? FirstOf(await host.StatusAsync(cancel));
                HostReply answer = await call.AtAsync(server, cancel);
                if (parsed.GetValue(to) is { } path)
                {
                    Write(path, answer.Bytes);
                }
                else
                {
                    report.Line(json ? AsNode(answer).ToJsonString(ToolJson.Options) : AsText(answer));
                }

                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static async Task<int> AllAsync(Call call, Report report, bool json, CancellationToken cancel)
    {
        StatusAnswer status = await call.Host.StatusAsync(cancel);
        var answers = new JsonArray();
        int exit = ExitCode.Ok;
        foreach (ServerAnswer server in status.Servers.Where(server => server.State != "stopped"))
        {
            JsonObject line = new() { ["server"] = server.Coordinate };
            string text;
            try
            {
                HostReply answer = await call.AtAsync($"{server.Rank}", cancel);
                line["answer"] = AsNode(answer);
                text = AsText(answer);
            }
            catch (ToolException e) when (e.ExitCode == ExitCode.Failed)
            {
                exit = ExitCode.Failed;
                line["error"] = text = e.Message;
            }

            answers.Add(line);
            if (!json)
            {
                report.Line($"{server.Coordinate}: {text}");
            }
        }

        if (json)
        {
            report.Line(answers.ToJsonString(ToolJson.Options));
        }

        return exit;
    }

    private static string FirstOf(StatusAnswer status) =>
        status.Servers.FirstOrDefault(server => server.State != "stopped") is { } first
            ? $"{first.Rank}"
            : throw new ToolException(ExitCode.Failed, "no server of this host runs.");

    private static string Query(string[] arguments)
    {
        string[] wrong = [.. arguments.Where(argument => argument.IndexOf('=', StringComparison.Ordinal) < 1)];
        return wrong.Length > 0
                ? throw new ToolException(
                    ExitCode.Usage,
                    $"'{wrong[0]}' is not an argument; write NAME=VALUE, as in count=3."
                )
            : arguments.Length == 0 ? ""
            : "?"
                + string.Join(
                    '&',
                    arguments.Select(argument =>
                    {
                        int at = argument.IndexOf('=', StringComparison.Ordinal);
                        return $"{Uri.EscapeDataString(argument[..at])}={Uri.EscapeDataString(argument[(at + 1)..])}";
                    })
                );
    }

    private static byte[] ReadBody(string file)
    {
        try
        {
            return File.ReadAllBytes(file);
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new ToolException(ExitCode.Usage, $"--body {file}: {e.Message}");
        }
    }

    private static void Write(string file, byte[] bytes)
    {
        try
        {
            File.WriteAllBytes(file, bytes);
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new ToolException(ExitCode.Usage, $"--out {file}: {e.Message}");
        }
    }

    private static JsonNode AsNode(HostReply answer) =>
        answer.IsJson
            ? JsonNode.Parse(answer.Bytes) ?? JsonValue.Create("null")
            : new JsonObject
            {
                ["contentType"] = answer.ContentType,
                ["base64"] = Convert.ToBase64String(answer.Bytes),
            };

    private static string AsText(HostReply answer) =>
        answer.IsJson ? AsNode(answer).ToJsonString(Indented)
        : answer.ContentType.StartsWith("text/", StringComparison.Ordinal) ? answer.Text
        : $"{Report.Count(answer.Bytes.Length)} bytes of {answer.ContentType}; --out FILE keeps them.";

    private sealed record Call(ToolHost Host, string Order, string? File, byte[]? Body, TimeSpan Timeout)
    {
        public Task<HostReply> AtAsync(string server, CancellationToken cancel)
        {
            HttpContent? content = null;
            if (Body is not null)
            {
                bool isJson = File!.EndsWith(".json", StringComparison.OrdinalIgnoreCase);
                content = new ByteArrayContent(Body);
                content.Headers.ContentType = new MediaTypeHeaderValue(
                    isJson ? "application/json" : "application/octet-stream"
                );
            }

            return Host.PostAsync($"/api/servers/{server}/{Order}", content, Timeout, cancel);
        }
    }
}
