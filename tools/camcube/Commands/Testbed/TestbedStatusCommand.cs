using System.CommandLine;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed status</c>.</summary>
internal static class TestbedStatusCommand
{
    private const double Mebibyte = 1024 * 1024;

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<string> name = TestbedCommand.Name();
        Option<Duration> interval = Values.Time(
            "--interval",
            "Time over which processor shares are measured",
            TimeSpan.FromSeconds(2),
            TimeSpan.FromMilliseconds(100),
            TimeSpan.FromMinutes(10)
        );
        var command = new Command(
            "status",
            "Shows the servers of a testbed, what their processes take, and cables that are cut."
        )
        {
            name,
            interval,
        };
        examples[command] = """
            sudo camcube testbed status
            sudo camcube testbed status --interval 30s           a better measure of what an idle cube takes
            sudo camcube testbed status --json | jq .totals
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                TestbedNetwork.CheckMachine();
                TestbedState state = TestbedStore.Require(parsed.GetRequiredValue(name));
                IReadOnlyList<Usage> usages = await UsageSampler.SampleAsync(
                    [.. state.Servers.Select(server => server.Process)],
                    parsed.GetValue(interval).Value,
                    cancel
                );
                string[] states = await Task.WhenAll(
                    state.Servers.Select((server, i) => AskAsync(server, usages[i], cancel))
                );
                Show(
                    new Report(parsed.InvocationConfiguration.Output),
                    state,
                    usages,
                    states,
                    parsed.GetValue(common.Json)
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary>The word for a kind of cut.</summary>
    public static string NameOf(CutKind how) =>
        how switch
        {
            CutKind.Pulled => "pulled",
            CutKind.OneWay => "oneWay",
            _ => "silent",
        };

    private static async Task<string> AskAsync(TestbedServer server, Usage usage, CancellationToken cancel)
    {
        if (!usage.IsAlive)
        {
            return "ended";
        }

        using var probe = new ServerProbe(server.Namespace);
        return await probe.WhyNotReadyAsync(cancel) ?? "ready";
    }

    private static void Show(Report report, TestbedState state, IReadOnlyList<Usage> usages, string[] states, bool json)
    {
        double cpu = usages.Sum(usage => usage.CpuPercent),
            memory = usages.Sum(usage => usage.ProportionalBytes) / Mebibyte;
        TorusShape shape = state.Plan.Torus();
        if (json)
        {
            report.Line(
                ToolJson.Of(
                    new
                    {
                        state.Plan.Name,
                        state.Plan.Shape,
                        state.Plan.Shim,
                        state.IsComplete,
                        Servers = state.Servers.Select(
                            (server, i) =>
                                new
                                {
                                    Rank = i,
                                    server.Coordinate,
                                    server.Namespace,
                                    Process = server.Process?.Id,
                                    State = states[i],
                                    CpuPercent = Math.Round(usages[i].CpuPercent, 2),
                                    usages[i].ProportionalBytes,
                                }
                        ),
                        Cuts = state.Cuts.Select(cut => new
                        {
                            Server = shape.At(cut.Rank).ToString(),
                            Link = LinkName(cut),
                            How = NameOf(cut.How),
                        }),
                        Totals = new
                        {
                            Ready = states.Count(s => s == "ready"),
                            CpuPercent = Math.Round(cpu, 2),
                            ProportionalBytes = usages.Sum(usage => usage.ProportionalBytes),
                        },
                    }
                )
            );
            return;
        }

        Table table = Report.Table(">rank", "server", "namespace", ">process", ">CPU %", ">PSS MiB", "state");
        for (int rank = 0; rank < state.Servers.Count; rank++)
        {
            TestbedServer server = state.Servers[rank];
            Report.Row(
                table,
                $"{rank}",
                server.Coordinate,
                server.Namespace,
                $"{server.Process?.Id}",
                Report.Decimal(usages[rank].CpuPercent, 2),
                Report.Decimal(usages[rank].ProportionalBytes / Mebibyte, 1),
                states[rank]
            );
        }

        report.Line(
            $"testbed '{state.Plan.Name}': {shape}, "
                + $"{state.Plan.Shim}{(state.IsComplete ? "" : ", not finished: 'camcube testbed down' removes it")}"
        );
        report.Print(table);
        report.Line(
            $"ready: {states.Count(s => s == "ready")} of {states.Length}; "
                + $"CPU: {Report.Decimal(cpu, 1)} % of one core; memory (PSS): {Report.Decimal(memory, 0)} MiB"
        );
        foreach (TestbedCut cut in state.Cuts)
        {
            report.Line($"cut: {LinkName(cut)} of {shape.At(cut.Rank)} ({NameOf(cut.How)})");
        }
    }

    private static string LinkName(TestbedCut cut) => Links.TryParse(cut.Link, out Link link) ? link.Name() : cut.Link;
}
