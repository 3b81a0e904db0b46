using System.CommandLine;
using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using CamCube.ValueTexts;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv put</c>.</summary>
internal static class PutCommand
{
    private const string StandardInput = "-";

    // Behind the last byte of a long value: its servers may have to fetch it from each other.
    private static readonly TimeSpan LongestWork = TimeSpan.FromSeconds(70);

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var (key, condition) = (new KeyOptions(common), new ConditionOptions());
        Argument<string?> value = new("VALUE")
        {
            Description = "The value, in UTF-8; - or nothing: standard input.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        Option<string> file = new("--file") { Description = "The value is in this file", HelpName = "FILE" };
        Option<string> type = new("--type") { Description = "What it is, as in image/png", HelpName = "TYPE" };
        Option<uint?> expires = Values.Optional<uint>(
            "--expires",
            "TIME",
            "How long it is there, at least 1 s, in whole seconds; without it until it is deleted",
            TryReadSeconds,
            $"must be {DurationText.Allowed}, or a number of seconds, 1 s to 136 years"
        );
        Command command = condition.AddTo(
            key.AddTo(new Command("put", "Puts a value in the place of what is there.") { value, file, type, expires })
        );
        examples[command] = """
            camcube kv put greeting hello
            camcube kv put cat --file cat.png --type image/png
            tar c photos | camcube kv put photos             to 1 GiB
            date | camcube kv put now --expires 1min         gone in a minute; the same as 60
            camcube kv put greeting hallo --if-version 17    exit code 1 if it has another
            camcube kv put 00ff --hex hello --json           {"version":"18","copies":3,"hops":1,"micros":1420}
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                (string Name, string Value)? header = condition.Read(parsed);
                string query = key.Query(parsed);
                using var progress = new ByteProgress(parsed.InvocationConfiguration.Error);
                var moving = new MovingBytes(progress.Show);
                using HttpContent content = Content(parsed.GetValue(value), parsed.GetValue(file), moving);
                if (parsed.GetValue(type) is { } text)
                {
                    content.Headers.ContentType = MediaTypeHeaderValue.TryParse(text, out MediaTypeHeaderValue? media)
                        ? media
                        : throw new ToolException(ExitCode.Usage, $"--type {text} is no type such as image/png.");
                }

                if (parsed.GetValue(expires) is { } seconds)
                {
                    content.Headers.Add("CamCube-Expires", $"{seconds}");
                }

                using KeyValueClient client = await key.ConnectAsync(parsed, cancel);
                KeyValueReply reply = await client.AskAsync(
                    HttpMethod.Put,
                    query,
                    content,
                    header,
                    LongestWork,
                    moving,
                    null,
                    cancel
                );
                progress.Dispose();
                return KeyValueCommand.PrintChange(parsed, common, reply);
            }
        );
        return command;
    }

    /// <summary>A value from the command line, a file or standard input.</summary>
    public static HttpContent Content(string? value, string? file, MovingBytes? moving = null)
    {
        if (file is not null)
        {
            if (value is not null)
            {
                throw new ToolException(ExitCode.Usage, "of VALUE and --file one is enough.");
            }

            try
            {
                return new MovingContent(File.OpenRead(file), moving ?? new MovingBytes(static _ => { }));
            }
            catch (Exception e)
                when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
            {
                throw new ToolException(ExitCode.Usage, $"--file {file}: {e.Message}");
            }
        }

        return value is null or StandardInput
            ? new MovingContent(Console.OpenStandardInput(), moving ?? new MovingBytes(static _ => { }))
            : new ByteArrayContent(Encoding.UTF8.GetBytes(value));
    }

    /// <summary>Reads a time as whole seconds, never fewer than were asked for.</summary>
    /// <param name="text">A duration, or a bare number of seconds.</param>
    /// <param name="seconds">1 at least.</param>
    public static bool TryReadSeconds(string text, out uint seconds)
    {
        if (uint.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out seconds))
        {
            return seconds > 0;
        }

        bool isTime = DurationText.TryParse(text, out TimeSpan time) && time >= TimeSpan.FromSeconds(1);
        double rounded = isTime ? Math.Ceiling(time.TotalSeconds) : 0;
        seconds = rounded <= uint.MaxValue ? (uint)rounded : 0;
        return seconds > 0;
    }
}
