using System.CommandLine;
using System.Net.Http.Headers;
using System.Text;
using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv put</c>.</summary>
internal static class PutCommand
{
    private const string StandardInput = "-";

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
        Command command = condition.AddTo(
            key.AddTo(new Command("put", "Puts a value in the place of what is there.") { value, file, type })
        );
        examples[command] = """
            camcube kv put greeting hello
            camcube kv put cat --file cat.png --type image/png
            date | camcube kv put now
            camcube kv put greeting hallo --if-version 17    exit code 1 if it has another
            camcube kv put 00ff --hex hello --json           {"version":"18","copies":3,"hops":1,"micros":1420}
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                (string Name, string Value)? header = condition.Read(parsed);
                string query = key.Query(parsed);
                using HttpContent content = Content(parsed.GetValue(value), parsed.GetValue(file));
                if (parsed.GetValue(type) is { } text)
                {
                    content.Headers.ContentType = MediaTypeHeaderValue.TryParse(text, out MediaTypeHeaderValue? media)
                        ? media
                        : throw new ToolException(ExitCode.Usage, $"--type {text} is no type such as image/png.");
                }

                using KeyValueClient client = await key.ConnectAsync(parsed, cancel);
                KeyValueReply reply = await client.AskAsync(
                    HttpMethod.Put,
                    query,
                    content,
                    header,
                    TimeSpan.Zero,
                    cancel
                );
                return KeyValueCommand.PrintChange(parsed, common, reply);
            }
        );
        return command;
    }

    /// <summary>A value from the command line, a file or standard input.</summary>
    public static HttpContent Content(string? value, string? file)
    {
        if (file is not null)
        {
            if (value is not null)
            {
                throw new ToolException(ExitCode.Usage, "of VALUE and --file one is enough.");
            }

            try
            {
                return new StreamContent(File.OpenRead(file));
            }
            catch (Exception e)
                when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
            {
                throw new ToolException(ExitCode.Usage, $"--file {file}: {e.Message}");
            }
        }

        return value is null or StandardInput
            ? new StreamContent(Console.OpenStandardInput())
            : new ByteArrayContent(Encoding.UTF8.GetBytes(value));
    }
}
