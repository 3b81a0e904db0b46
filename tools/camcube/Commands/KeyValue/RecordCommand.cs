using System.CommandLine;
using System.Globalization;
using CamCube.Chaos;
using CamCube.Chaos.Clients;
using CamCube.Chaos.Settings;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv record</c>: what clients ask of a store that runs, and are told.</summary>
internal static class RecordCommand
{
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
        };
        examples[command] = """
            camcube kv record history.jsonl --for 10min --clients 50
            camcube kv check history.jsonl
            camcube kv record h.jsonl --front-end http://10.0.0.1:8200 --front-end http://10.0.0.2:8201
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                IReadOnlyList<Uri> servers = parsed.GetValue(frontEnds) is { Length: > 0 } given
                    ? [.. given.Select(RootOf)]
                    : await KeyValueClient.FindAllAsync(parsed.GetRequiredValue(common.Host), cancel);
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
                RecordingResult result;
                try
                {
                    result = await new StoreRecording(servers, options, prefix).RunAsync(
                        done => progress.Show(() => Words(done)),
                        cancel
                    );
                }
                catch (Exception e) when (e is IOException or UnauthorizedAccessException)
                {
                    throw new ToolException(ExitCode.Usage, $"{options.HistoryFile} cannot be written: {e.Message}");
                }

                progress.Dispose();
                JsonOrText.Print(
                    parsed,
                    common,
                    ToolJson.Of(
                        new
                        {
                            result.Operations,
                            result.Unknown,
                            result.Unavailable,
                            LongestGapSeconds = result.LongestNanos / 1e9,
                            Keys = prefix,
                        }
                    ),
                    Words(result)
                );
                return result.Operations > result.Unknown + result.Unavailable ? ExitCode.Ok : ExitCode.Unavailable;
            }
        );
        return command;
    }

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
