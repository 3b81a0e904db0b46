using System.CommandLine;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv add</c> and <c>append</c>: changes by what is there.</summary>
internal static class ChangeCommands
{
    /// <summary><c>add</c>.</summary>
    public static Command Add(CommonOptions common, Dictionary<Command, string> examples)
    {
        var (key, condition) = (new KeyOptions(common), new ConditionOptions());
        Argument<string> number = new("NUMBER")
        {
            Description = "How much, in decimal digits; 1 without it. Behind -- it may be negative.",
            DefaultValueFactory = _ => "1",
        };
        Command command = condition.AddTo(
            key.AddTo(new Command("add", "Adds to the number that a value is, and prints the sum.") { number })
        );
        examples[command] = """
            camcube kv add hits
            camcube kv add hits -- -5                        exit code 1 if it is no number
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string text = parsed.GetRequiredValue(number);
                if (!long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out _))
                {
                    throw new ToolException(ExitCode.Usage, $"NUMBER {text}: must be a whole number of 64 bits.");
                }

                using var content = new ByteArrayContent(Encoding.UTF8.GetBytes(text));
                KeyValueReply reply = await PostAsync(parsed, key, condition, "add", content, cancel);
                string sum = Encoding.UTF8.GetString(reply.Body);
                JsonObject json = KeyValueCommand.Describe(reply);
                json["value"] = sum;
                JsonOrText.Print(parsed, common, json.ToJsonString(ToolJson.Options), sum);
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary><c>append</c>.</summary>
    public static Command Append(CommonOptions common, Dictionary<Command, string> examples)
    {
        var (key, condition) = (new KeyOptions(common), new ConditionOptions());
        Argument<string?> value = new("VALUE")
        {
            Description = "The bytes, in UTF-8; - or nothing: standard input.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        Option<string> file = new("--file") { Description = "The bytes are in this file", HelpName = "FILE" };
        Command command = condition.AddTo(
            key.AddTo(new Command("append", "Puts bytes behind a value.") { value, file })
        );
        examples[command] = """
            camcube kv append log 'one more line'
            camcube kv append log --file more --if-present
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using HttpContent content = PutCommand.Content(parsed.GetValue(value), parsed.GetValue(file));
                KeyValueReply reply = await PostAsync(parsed, key, condition, "append", content, cancel);
                return KeyValueCommand.PrintChange(parsed, common, reply);
            }
        );
        return command;
    }

    private static async Task<KeyValueReply> PostAsync(
        ParseResult parsed,
        KeyOptions key,
        ConditionOptions condition,
        string op,
        HttpContent content,
        CancellationToken cancel
    )
    {
        (string Name, string Value)? header = condition.Read(parsed);
        string query = $"{key.Query(parsed)}&op={op}";
        using KeyValueClient client = await key.ConnectAsync(parsed, cancel);
        return await client.AskAsync(HttpMethod.Post, query, content, header, TimeSpan.Zero, cancel);
    }
}
