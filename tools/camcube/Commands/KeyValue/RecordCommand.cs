using System.CommandLine;
using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using CamCube.Chaos;
using CamCube.Chaos.Clients;
using CamCube.Chaos.Settings;
using CamCube.Loads.Resp;
using CamCube.Loads.Settings;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv record</c>: what clients ask of a store that runs, and are told.</summary>
internal static class RecordCommand
{
    private const int RedisPort = 6379;

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string> file = new("FILE") { Description = "Gets an operation in JSON on each line." };
        Option<Duration> time = Values.Time(
            "--for",
            "How long",
            TimeSpan.FromSeconds(30),
            TimeSpan.FromMilliseconds(100),
            TimeSpan.FromHours(24)
        );
        Option<int> clients = Values.Whole("--clients", "Clients at once", 8, 1, 1_024);
        Option<int> keys = Values.Whole("--keys", "Keys that they share", 20, 1, 1_000_000);
        Option<ulong> seed = Values.Seed();
        Option<string[]> frontEnds = new("--front-end")
        {
            Description = "A front end, as in http://10.0.0.5:8200; as often as wanted. Without it all of the host",
            HelpName = "URL",
        };
        Option<string> target = Values.Words(
            "--target",
            "What is asked, over HTTP or in its own protocol",
            ["cube", "redis"]
        );
        Option<string[]> endpoints = new("--endpoint")
        {
            Description = "With --target redis, a server, as in 10.0.0.5:6379; as often as wanted",
            HelpName = "HOST:PORT",
        };
        Option<string?> user = RedisUser.Option();
        Option<bool> check = new("--check") { Description = "Checks the history in the end, as kv check does" };
        var command = new Command(
            "record",
            "Has clients read and write keys of their own, and writes down what they asked and were told."
        )
        {
            file,
            time,
            clients,
            keys,
            seed,
            frontEnds,
            target,
            endpoints,
            user,
            check,
        };
        examples[command] = """
            camcube kv record history.jsonl --for 10min --clients 50
            camcube kv check history.jsonl
            camcube kv record h.jsonl --front-end http://10.0.0.1:8200 --front-end http://10.0.0.2:8201
            camcube kv record h.jsonl --target redis --endpoint 10.0.0.1:6379 --endpoint 10.0.0.1:6380 --check
            """;
        command.Validators.Add(result =>
        {
            bool isRedis = result.GetResult(target)?.Tokens.FirstOrDefault()?.Value == "redis",
                hasEndpoints = result.GetResult(endpoints) is { Implicit: false },
                hasFrontEnds = result.GetResult(frontEnds) is { Implicit: false };
            if (isRedis && !hasEndpoints)
            {
                result.AddError("--target redis needs an --endpoint, as in 127.0.0.1:6379.");
            }
            else if ((isRedis && hasFrontEnds) || (!isRedis && hasEndpoints))
            {
                result.AddError("--endpoint is of --target redis, --front-end of a cube over HTTP.");
            }
        });
        command.SetAction(
            async (parsed, cancel) =>
            {
                var options = new ChaosOptions
                {
                    Name = "",
                    Program = "",
                    HistoryFile = parsed.GetRequiredValue(file),
                    Time = parsed.GetValue(time).Value,
                    Clients = parsed.GetValue(clients),
                    Keys = parsed.GetValue(keys),
                    Seed = parsed.GetValue(seed),
                };

                // Nobody has used these keys: a history begins with nothing.
                string prefix = $"record/{DateTime.UtcNow.Ticks:x}/";
                using var progress = new ProgressLine(parsed.InvocationConfiguration.Error);
                void show(RecordingResult done) => progress.Show(() => Words(done));
                RecordingResult result;
                if (parsed.GetRequiredValue(target) == "redis")
                {
                    RespLogin? login = RedisUser.Find(parsed.GetValue(user));
                    IReadOnlyList<IPEndPoint> servers = await ResolveAsync(parsed.GetRequiredValue(endpoints), cancel);
                    result = await WriteAsync(
                        options,
                        () => new RedisRecording(servers, options, prefix, login).RunAsync(show, cancel)
                    );
                }
                else
                {
                    IReadOnlyList<Uri> servers = parsed.GetValue(frontEnds) is { Length: > 0 } given
                        ? [.. given.Select(RootOf)]
                        : await KeyValueClient.FindAllAsync(parsed.GetRequiredValue(common.Host), cancel);
                    result = await WriteAsync(
                        options,
                        () => new StoreRecording(servers, options, prefix).RunAsync(show, cancel)
                    );
                }

                progress.Dispose();
                int exitCode =
                    result.Operations > result.Unknown + result.Unavailable ? ExitCode.Ok : ExitCode.Unavailable;
                if (parsed.GetValue(check) && exitCode == ExitCode.Ok)
                {
                    return CheckCommand.Run(parsed, common, options.HistoryFile, Json(result, prefix), Words(result));
                }

                JsonOrText.Print(parsed, common, Json(result, prefix).ToJsonString(ToolJson.Options), Words(result));
                return exitCode;
            }
        );
        return command;
    }

    private static async Task<RecordingResult> WriteAsync(ChaosOptions options, Func<Task<RecordingResult>> run)
    {
        try
        {
            return await run();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ToolException(ExitCode.Usage, $"{options.HistoryFile} cannot be written: {e.Message}");
        }
    }

    private static async Task<IReadOnlyList<IPEndPoint>> ResolveAsync(string[] texts, CancellationToken cancel)
    {
        List<IPEndPoint> servers = [];
        foreach (string text in texts)
        {
            if (!LoadEndpoint.TryParse(text, RedisPort, out LoadEndpoint endpoint))
            {
                throw new ToolException(
                    ExitCode.Usage,
                    $"--endpoint {text} is no server such as 127.0.0.1:{RedisPort}."
                );
            }

            try
            {
                servers.Add(await endpoint.ResolveAsync(cancel));
            }
            catch (IOException e)
            {
                throw new ToolException(ExitCode.Unavailable, e.Message);
            }
        }

        return servers;
    }

    private static JsonObject Json(RecordingResult result, string prefix) =>
        new()
        {
            ["operations"] = result.Operations,
            ["unknown"] = result.Unknown,
            ["unavailable"] = result.Unavailable,
            ["longestGapSeconds"] = result.LongestNanos / 1e9,
            ["keys"] = prefix,
        };

    private static Uri RootOf(string text) =>
        HostAddress.TryParse(text, out HostAddress address)
            ? address.Root
            : throw new ToolException(
                ExitCode.Usage,
                $"--front-end {text} is no address such as http://127.0.0.1:8200."
            );

    private static string Words(RecordingResult result) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{result.Operations:N0} operations, {result.Unknown:N0} with an unknown end, {result.Unavailable:N0} not "
                + $"done; longest time without an answer {result.LongestNanos / 1e9:0.00} s"
        );
}
