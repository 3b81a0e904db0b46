using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube fault add|list|clear</c>.</summary>
internal static class FaultCommand
{
    private const string Path = "/api/faults";

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var group = new Command(
            "fault",
            "Lets links of a running host lose, delay or change packets (docs/faults.md)."
        );
        Command add = Add(common),
            list = List(common),
            clear = Clear(common);
        examples[group] = """
            camcube fault add loss --probability 0.05 --at 0,0,0:+x
            camcube fault list
            camcube fault clear
            """;
        examples[add] = """
            camcube fault add delay --time 2ms --jitter 1ms      on all links
            camcube fault add cut --at 0,0,0:+x --way out        0,0,0 still hears 1,0,0
            camcube fault add rate --rate 10mbit --at 1,1,1
            camcube fault add flapping --period 500ms --up 0.8 --at 13:mz
            camcube fault add loss --probability 1 --service cache
            """;
        examples[list] = "camcube fault list";
        examples[clear] = """
            camcube fault clear                                  all rules
            camcube fault clear 3                                rule 3
            """;
        group.Add(add);
        group.Add(list);
        group.Add(clear);
        return group;
    }

    private static Command Add(CommonOptions common)
    {
        var faults = new FaultOptions();
        var command = new Command("add", "Puts a rule into force. Rules add up.");
        faults.AddTo(command);
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                string json = await host.PostAsync(
                    faults.Order(parsed, faults.At(parsed), faults.Way(parsed)),
                    TimeSpan.Zero,
                    cancel
                );
                FaultRuleAnswer rule = host.Read<FaultRuleAnswer>(json);
                JsonOrText.Print(parsed, common, json, $"rule {rule.Id}: {rule.Words}");
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Command List(CommonOptions common)
    {
        var command = new Command("list", "Rules in force, and what rules have done so far.");
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                Print(parsed, common, host, await host.GetAsync(Path, cancel));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Command Clear(CommonOptions common)
    {
        var rule = new Argument<int?>("RULE")
        {
            Description = "Number of the rule, as list has it; without it, all.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var command = new Command(
            "clear",
            "Ends a rule, or all. Packets that are held back still come when they would have."
        )
        {
            rule,
        };
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                string path = parsed.GetValue(rule) is { } id
                    ? string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Path}/{id}")
                    : Path;
                Print(parsed, common, host, await host.DeleteAsync(path, cancel));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static void Print(ParseResult parsed, CommonOptions common, ToolHost host, string json)
    {
        FaultsAnswer faults = host.Read<FaultsAnswer>(json);
        JsonOrText.Print(parsed, common, json, report => FaultText.Print(report, [(null, faults)]));
    }
}
