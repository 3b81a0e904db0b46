using System.CommandLine;
using System.Text.Json;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv list</c>.</summary>
internal static class ListCommand
{
    private const int MostAtOnce = 1_000;

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var prefix = new KeyOptions(common, isPrefix: true);
        Option<int> limit = Values.Whole("--limit", "About how many keys at most", 1_000, 1, 1_000_000);
        Option<string> cursor = new("--cursor")
        {
            Description = "Where to go on, as the list before said it",
            HelpName = "CURSOR",
        };
        Command command = prefix.AddTo(
            new Command("list", "Lists keys, in no order, of the whole cube.") { limit, cursor }
        );
        examples[command] = """
            camcube kv list
            camcube kv list cats/ --limit 20
            camcube kv list --json | jq -r '.keys[].key'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string query = prefix.Query(parsed);
                int most = parsed.GetValue(limit);
                using KeyValueClient client = await prefix.ConnectAsync(parsed, cancel);
                List<ListedKeyAnswer> keys = [];
                string? next = parsed.GetValue(cursor);
                do
                {
                    KeyListAnswer page = await PageAsync(client, query, next, most - keys.Count, cancel);
                    keys.AddRange(page.Keys);
                    next = page.Next;
                } while (next is not null && keys.Count < most);

                JsonOrText.Print(
                    parsed,
                    common,
                    ToolJson.Of(new KeyListAnswer(keys, next)),
                    report => Show(report, keys, next)
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary>Asks for a part.</summary>
    public static async Task<KeyListAnswer> PageAsync(
        KeyValueClient client,
        string query,
        string? cursor,
        int limit,
        CancellationToken cancel
    )
    {
        string at = cursor is null ? "" : $"&cursor={Uri.EscapeDataString(cursor)}";
        string page = $"{query}&limit={Math.Min(limit, MostAtOnce)}{at}";
        KeyValueReply reply = await client.AskAsync(HttpMethod.Get, page, null, null, TimeSpan.Zero, cancel);
        try
        {
            return JsonSerializer.Deserialize<KeyListAnswer>(reply.Body, ToolJson.Options)!;
        }
        catch (JsonException e)
        {
            throw new ToolException(ExitCode.Unavailable, $"the list cannot be read: {e.Message}");
        }
    }

    private static void Show(Report report, List<ListedKeyAnswer> keys, string? next)
    {
        Table table = Report.Table("key", ">version", ">bytes");
        foreach (ListedKeyAnswer key in keys)
        {
            Report.Row(table, Shown(key), key.Version, Report.Count(key.Length));
        }

        report.Print(table);
        report.Line($"{Report.Count(keys.Count)} keys{(next is null ? "" : $"; more with --cursor {next}")}");
    }

    // A key may have bytes that a terminal obeys.
    private static string Shown(ListedKeyAnswer key) =>
        key.Key is { } text && !text.Any(char.IsControl) ? text
        : key.Key is null ? $"hex {key.Hex}"
        : ToolJson.Of(key.Key);
}
