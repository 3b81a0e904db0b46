using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed fault add|list|clear</c>.</summary>
internal static class TestbedFaultCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var group = new Command(
            "fault",
            "Lets cables of a testbed lose, delay or change packets; its servers need AllowControl=true."
        );
        Command add = Add(common),
            list = All(
                common,
                "list",
                "Rules in force at all servers, and what rules have done so far.",
                (f, c) => f.ListAsync(c)
            );
        Command clear = All(common, "clear", "Ends all rules at all servers.", (f, c) => f.ClearAsync(c));
        examples[group] = """
            sudo camcube testbed up --set AllowControl=true
            sudo camcube testbed fault add loss --probability 0.05 --at 0,0,0:+x
            sudo camcube testbed fault list
            sudo camcube testbed fault clear
            """;
        examples[add] = """
            sudo camcube testbed fault add delay --time 2ms                     every cable, both ways
            sudo camcube testbed fault add cut --at 0,0,0:+x --way out          0,0,0 still hears 1,0,0
            sudo camcube testbed fault add rate --rate 10mbit --at 1,1,1        all cables of 1,1,1
            """;
        examples[list] = "sudo camcube testbed fault list";
        examples[clear] = "sudo camcube testbed fault clear";
        group.Add(add);
        group.Add(list);
        group.Add(clear);
        return group;
    }

    private static Command Add(CommonOptions common)
    {
        Option<string> name = TestbedCommand.Name();
        var faults = new FaultOptions();
        var command = new Command(
            "add",
            "Puts a rule into force, at both ends of the cables unless --way says otherwise."
        )
        {
            name,
        };
        faults.AddTo(command);
        command.SetAction(
            async (parsed, cancel) =>
            {
                TestbedNetwork.CheckMachine();
                TestbedState state = TestbedStore.Require(parsed.GetRequiredValue(name));
                var senders = TestbedFaults.Senders(
                    state.Plan.Torus(),
                    faults.At(parsed),
                    faults.Way(parsed) ?? "both"
                );
                using var testbed = new TestbedFaults(state);
                IReadOnlyList<(string Server, FaultRuleAnswer Rule)> rules = await testbed.AddAsync(
                    senders,
                    at => faults.Order(parsed, at, null),
                    cancel
                );
                JsonOrText.Print(
                    parsed,
                    common,
                    ToolJson.Of(rules.Select(rule => new { rule.Server, rule.Rule })),
                    $"rule in force at {(rules.Count == 1 ? "1 server" : $"{rules.Count} servers")}: "
                        + $"{rules[0].Rule.Words}{(rules.Count > 1 ? ", ..." : "")}"
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Command All(
        CommonOptions common,
        string what,
        string description,
        Func<TestbedFaults, CancellationToken, Task<IReadOnlyList<(string Server, FaultsAnswer Faults)>>> act
    )
    {
        Option<string> name = TestbedCommand.Name();
        var command = new Command(what, description) { name };
        command.SetAction(
            async (parsed, cancel) =>
            {
                TestbedNetwork.CheckMachine();
                using var testbed = new TestbedFaults(TestbedStore.Require(parsed.GetRequiredValue(name)));
                IReadOnlyList<(string Server, FaultsAnswer Faults)> all = await act(testbed, cancel);
                JsonOrText.Print(
                    parsed,
                    common,
                    ToolJson.Of(
                        all.Select(one => new
                        {
                            one.Server,
                            one.Faults.Rules,
                            one.Faults.Counts,
                        })
                    ),
                    report => FaultText.Print(report, [.. all.Select(one => ((string?)one.Server, one.Faults))])
                );

                return ExitCode.Ok;
            }
        );
        return command;
    }
}
