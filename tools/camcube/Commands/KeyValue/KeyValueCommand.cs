using System.CommandLine;
using System.Text.Json.Nodes;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv</c>: keys and values, and how the store is.</summary>
internal static class KeyValueCommand
{
    /// <summary>The commands.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("kv", "The key-value store: puts, gets, deletes, lists and waits; its groups.")
        {
            ReadCommands.Get(common, examples),
            PutCommand.Create(common, examples),
            Delete(common, examples),
            ChangeCommands.Add(common, examples),
            ChangeCommands.Append(common, examples),
            ListCommand.Create(common, examples),
            ReadCommands.Wait(common, examples),
            ReadCommands.Info(common, examples),
            GroupCommands.Groups(common, examples),
            GroupCommands.Status(common, examples),
            InitCommand.Create(common, examples),
            RecoverCommand.Create(common, examples),
            VerifyCommand.Create(common, examples),
            ExportCommand.Create(common, examples),
            ImportCommand.Create(common, examples),
            RecordCommand.Create(common, examples),
            CheckCommand.Create(common, examples),
            LoadCommand.Create(common, examples),
        };
        examples[command] = """
            camcube kv put greeting hello                    prints the version
            camcube kv get greeting
            camcube kv put cat --file cat.png --if-absent    exit code 1 if there is one
            camcube kv groups

            Exit codes: 0 done, 1 not found or conflict, 2 wrong input, 3 unavailable or unknown.
            """;
        return command;
    }

    /// <summary>Prints what came of a change.</summary>
    public static int PrintChange(ParseResult parsed, CommonOptions common, KeyValueReply reply)
    {
        JsonOrText.Print(
            parsed,
            common,
            Describe(reply).ToJsonString(ToolJson.Options),
            $"version {reply.Version}, {reply.Header("CamCube-Copies")} copies"
        );
        return ExitCode.Ok;
    }

    /// <summary>What came of a change, in JSON.</summary>
    public static JsonObject Describe(KeyValueReply reply) =>
        new()
        {
            ["version"] = reply.Version,
            ["copies"] = reply.Number("CamCube-Copies"),
            ["hops"] = reply.Number("CamCube-Hops"),
            ["micros"] = Math.Round(reply.Micros),
        };

    private static Command Delete(CommonOptions common, Dictionary<Command, string> examples)
    {
        var (key, condition) = (new KeyOptions(common), new ConditionOptions());
        Command command = condition.AddTo(key.AddTo(new Command("delete", "Deletes a key and its value.")));
        examples[command] = """
            camcube kv delete greeting
            camcube kv delete greeting --if-version 17       exit code 1 if it has another
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                (string Name, string Value)? header = condition.Read(parsed);
                string query = key.Query(parsed);
                using KeyValueClient client = await key.ConnectAsync(parsed, cancel);
                KeyValueReply reply = await client.AskAsync(
                    HttpMethod.Delete,
                    query,
                    null,
                    header,
                    TimeSpan.Zero,
                    cancel
                );
                return PrintChange(parsed, common, reply);
            }
        );
        return command;
    }
}
