using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv get</c>, <c>wait</c> and <c>info</c>.</summary>
internal static class ReadCommands
{
    /// <summary><c>get</c>.</summary>
    public static Command Get(CommonOptions common, Dictionary<Command, string> examples)
    {
        var key = new KeyOptions(common);
        Option<bool> any = Any();
        Option<string> to = new("--out") { Description = "File for the value", HelpName = "FILE" };
        Command command = key.AddTo(new Command("get", "Prints a value, byte by byte.") { any, to });
        examples[command] = """
            camcube kv get greeting
            camcube kv get cat --out cat.png
            camcube kv get greeting --json                   {"version":"17","length":5,...,"value":"aGVsbG8="}
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string query = Query(key, any, parsed);
                using KeyValueClient client = await key.ConnectAsync(parsed, cancel);
                string? file = parsed.GetValue(to);
                using var progress = new ByteProgress(parsed.InvocationConfiguration.Error);
                var moving = new MovingBytes(progress.Show);
                bool isJson = parsed.GetValue(common.Json);

                // As it is: what writes text would make other bytes of it.
                Func<KeyValueReply, Stream>? into =
                    file is not null ? _ => Create(file)
                    : isJson ? null
                    : static _ => Console.OpenStandardOutput();
                KeyValueReply reply = await client.AskAsync(
                    HttpMethod.Get,
                    query,
                    null,
                    null,
                    TimeSpan.Zero,
                    moving,
                    into,
                    cancel
                );
                progress.Dispose();
                if (file is not null)
                {
                    Finish(file);
                }

                if (isJson)
                {
                    JsonObject json = Describe(reply);
                    if (file is null)
                    {
                        json["value"] = Convert.ToBase64String(reply.Body);
                    }

                    new Report(parsed.InvocationConfiguration.Output).Line(json.ToJsonString(ToolJson.Options));
                }

                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary><c>info</c>.</summary>
    public static Command Info(CommonOptions common, Dictionary<Command, string> examples)
    {
        var key = new KeyOptions(common);
        Option<bool> any = Any();
        Command command = key.AddTo(
            new Command("info", "Shows version, length and what is kept beside a value.") { any }
        );
        examples[command] = """
            camcube kv info greeting
            camcube kv info greeting --json | jq -r .version
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string query = Query(key, any, parsed);
                using KeyValueClient client = await key.ConnectAsync(parsed, cancel);
                KeyValueReply reply = await client.AskAsync(HttpMethod.Head, query, null, null, TimeSpan.Zero, cancel);
                JsonOrText.Print(
                    parsed,
                    common,
                    Describe(reply).ToJsonString(ToolJson.Options),
                    report =>
                    {
                        report.Line($"version {reply.Version}, {Report.Count(reply.Length)} bytes");
                        report.Line(
                            $"{reply.Header("Content-Type")}, {Report.Hops(reply.Number("CamCube-Hops"))} away"
                        );
                        if (reply.Header("CamCube-Expires") is { Length: > 0 } rest)
                        {
                            report.Line($"gone in {rest} s");
                        }

                        foreach ((string name, JsonNode? value) in reply.Fields())
                        {
                            report.Line($"{name}: {value}");
                        }
                    }
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary><c>wait</c>.</summary>
    public static Command Wait(CommonOptions common, Dictionary<Command, string> examples)
    {
        var key = new KeyOptions(common);
        Option<ulong?> version = Values.Optional<ulong>(
            "--unlike",
            "VERSION",
            "The version that is known; without it: until there is a value",
            (string text, out ulong value) =>
                ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value),
            "must be a version, as put and info say it"
        );
        Option<Duration> timeout = Values.Time(
            "--timeout",
            "How long to wait",
            TimeSpan.FromSeconds(30),
            TimeSpan.FromMilliseconds(1),
            TimeSpan.FromMinutes(5)
        );
        Command command = key.AddTo(new Command("wait", "Waits until a key has another version.") { version, timeout });
        examples[command] = """
            camcube kv wait greeting                         until there is one
            camcube kv wait greeting --unlike 17             exit code 1 if it is still the same, or gone
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                TimeSpan time = parsed.GetValue(timeout).Value;
                string wait = $"wait={parsed.GetValue(version) ?? 0}&timeout={(long)time.TotalMilliseconds}ms",
                    query = $"{key.Query(parsed)}&{wait}";
                using KeyValueClient client = await key.ConnectAsync(parsed, cancel);
                KeyValueReply reply = await client.AskAsync(HttpMethod.Head, query, null, null, time, cancel);
                JsonOrText.Print(
                    parsed,
                    common,
                    Describe(reply).ToJsonString(ToolJson.Options),
                    $"version {reply.Version}"
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Option<bool> Any() =>
        new("--any") { Description = "What the first server that has it has: perhaps an old value" };

    private static string Query(KeyOptions key, Option<bool> any, ParseResult parsed) =>
        key.Query(parsed) + (parsed.GetValue(any) ? "&reads=any" : "");

    private static JsonObject Describe(KeyValueReply reply) =>
        new()
        {
            ["version"] = reply.Version,
            ["length"] = reply.Length,
            ["contentType"] = reply.Header("Content-Type"),
            ["metadata"] = reply.Fields(),
            ["expires"] = uint.TryParse(reply.Header("CamCube-Expires"), out uint rest) ? rest : null,
            ["hops"] = reply.Number("CamCube-Hops"),
            ["micros"] = Math.Round(reply.Micros),
        };

    // Half a value never has the name of a whole one.
    private static string PartOf(string file) => $"{file}.part";

    private static FileStream Create(string file) => Try(file, () => File.Create(PartOf(file)));

    private static void Finish(string file) =>
        Try(
            file,
            () =>
            {
                File.Move(PartOf(file), file, overwrite: true);
                return true;
            }
        );

    private static T Try<T>(string file, Func<T> use)
    {
        try
        {
            return use();
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new ToolException(ExitCode.Usage, $"--out {file}: {e.Message}");
        }
    }
}
