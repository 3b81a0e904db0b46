using System.CommandLine;
using System.Globalization;
using System.Net;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube tunnel load</c>: TCP between the servers of a host, as programs use the tunnel.</summary>
internal static class TunnelLoadCommand
{
    /// <summary>The command.</summary>
    /// <param name="common">Options that all commands have.</param>
    /// <param name="examples">Gets its examples.</param>
    /// <param name="rows">Asks a host for its servers' tunnels.</param>
    public static Command Create(
        CommonOptions common,
        Dictionary<Command, string> examples,
        Func<ToolHost, CancellationToken, Task<List<TunnelStatusAnswer>>> rows
    )
    {
        Option<Duration> time = Values.Time(
            "--for",
            "How long it is measured",
            TimeSpan.FromSeconds(10),
            TimeSpan.FromMilliseconds(100),
            TimeSpan.FromHours(1)
        );
        Option<Duration> warmup = Values.Time(
            "--warmup",
            "How long it runs before that",
            TimeSpan.FromSeconds(2),
            TimeSpan.Zero,
            TimeSpan.FromMinutes(10)
        );
        Option<int> streams = Values.Whole("--streams", "Connections of each server to each other one", 1, 1, 100);
        Option<bool> arePairs = new("--pairs")
        {
            Description = "Each server sends to one other, half of all servers further; without it to all others",
        };
        Option<bool> is6 = new("--ipv6") { Description = "Over IPv6" };
        var command = new Command(
            "load",
            "Has programs send over TCP between all servers of the host, each in a network namespace, and prints rates."
        )
        {
            time,
            warmup,
            streams,
            arePairs,
            is6,
        };
        examples[command] = """
            sudo camcube tunnel load
            sudo camcube tunnel load --pairs --streams 4 --for 30s --json | jq .medianBitsPerSecond
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                List<TunnelStatusAnswer> servers = Checked(await rows(host, cancel));
                var options = new TcpLoadOptions
                {
                    Time = parsed.GetValue(time).Value,
                    Warmup = parsed.GetValue(warmup).Value,
                    Streams = parsed.GetValue(streams),
                };
                bool isOver6 = parsed.GetValue(is6);
                TcpLoadEnd[] ends =
                [
                    .. servers.Select(row => new TcpLoadEnd(
                        row.Server,
                        row.Namespace!,
                        IPAddress.Parse(isOver6 ? row.Address6 : row.Address4)
                    )),
                ];
                var load = new TcpLoad(ends, PairsOf(ends.Length, parsed.GetValue(arePairs)), options);
                using var progress = new ProgressLine(parsed.InvocationConfiguration.Error);
                TcpLoadResult result = await load.RunAsync(
                    (what, bytes) => progress.Show(() => $"{what}, {Report.Bytes(bytes)} received"),
                    cancel
                );
                progress.Dispose();
                JsonOrText.Print(parsed, common, ToolJson.Of(result), report => Print(report, result));
                return result.Broken > 0 ? ExitCode.Failed : ExitCode.Ok;
            }
        );
        return command;
    }

    private static List<TunnelStatusAnswer> Checked(List<TunnelStatusAnswer> servers)
    {
        if (servers.Find(row => row.Offloads is null) is { } failed)
        {
            throw new ToolException(ExitCode.Failed, $"{failed.Server} has no card: {failed.Failure}");
        }

        if (servers.Count < 2 || servers.Exists(row => row.Namespace is null))
        {
            throw new ToolException(
                ExitCode.Failed,
                "this needs a host of several servers with a network namespace each (Services:tunnel:Namespace); "
                    + "between machines iperf3 does the same."
            );
        }

        return servers;
    }

    private static IReadOnlyList<(int From, int To)> PairsOf(int count, bool arePairs) =>
        arePairs
            ? [.. Enumerable.Range(0, count).Select(from => (from, (from + (count / 2)) % count))]
            : TcpLoad.AllToAll(count);

    private static void Print(Report report, TcpLoadResult result)
    {
        Table table = Report.Table("server", ">received Mbit/s", ">sent Mbit/s");
        foreach (TcpLoadRow row in result.Servers)
        {
            Report.Row(table, row.Server, Mega(row.ReceivedBitsPerSecond), Mega(row.SentBitsPerSecond));
        }

        report.Print(table);
        report.Line(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{result.Connections:N0} connections for {result.Seconds:0.0} s; received per server: median "
            )
                + $"{Mega(result.MedianBitsPerSecond)}, least {Mega(result.LeastBitsPerSecond)}, most "
                + $"{Mega(result.MostBitsPerSecond)} Mbit/s; all together {Mega(result.TotalBitsPerSecond)}"
        );
        report.Line(
            $"{Report.Count(result.Segments)} segments, {Report.Count(result.OutOfOrder)} out of order, "
                + $"{Report.Count(result.SentAgain)} sent again"
        );
        if (result.Broken > 0)
        {
            report.Line($"{Report.Count(result.Broken)} connections broke");
        }
    }

    private static string Mega(double bitsPerSecond) => Report.Decimal(bitsPerSecond / 1e6, 1);
}
