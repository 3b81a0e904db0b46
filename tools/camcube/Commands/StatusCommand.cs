using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube status</c>: the servers of a host, and what cache, streams and messages on them do.</summary>
internal static class StatusCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command(
            "status",
            "Shows the servers, services, cache, streams and cables of a running host."
        );
        examples[command] = """
            camcube status                                       the cube of the host on this machine
            camcube status --host http://127.0.0.1:9080          of the host whose HTTP ports begin at 9080
            camcube status --json | jq '.servers[13].drops'      everything the host tells, for programs
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                string own = await host.GetAsync("/api/status", cancel);
                HostTraffic traffic = HostTraffic.Of(host.Read<StatusAnswer>(own));
                string cached = await WholeCache.WithCacheAsync(host, own, cancel),
                    json = traffic.AddTo(await WholeCube.WithOthersAsync(host, cached, cancel));
                StatusAnswer status = host.Read<StatusAnswer>(json);
                JsonOrText.Print(
                    parsed,
                    common,
                    json,
                    report => Show(report, status, WholeCache.Read(host, json), traffic)
                );

                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static void Show(Report report, StatusAnswer status, HostCache? cached, HostTraffic traffic)
    {
        TorusShape shape = status.Torus;
        string uptime = TimeSpan.FromSeconds(Math.Floor(status.UptimeSeconds)).ToString("c");
        report.Line(
            $"CamCube {status.Version}: {status.Phase}, {shape} ({shape.Count} servers), "
                + $"shim {status.Shim}, up {uptime}"
        );
        report.Line(string.Join(", ", status.FrontEnds.Append(status.Http).Select(Ports)));
        report.Print(Servers(status));
        report.Print(Services(status));
        if (cached is { } cache)
        {
            report.Line(CacheText.Of(cache));
        }

        TrafficText.Show(report, traffic);
        report.Line(Cables(status, shape));
    }

    private static string Ports(PortsAnswer ports) =>
        ports.FirstPort == ports.LastPort
            ? $"{ports.Name} {ports.Address}:{ports.FirstPort}"
            : $"{ports.Name} {ports.Address}:{ports.FirstPort}-{ports.LastPort}";

    private static Table Servers(StatusAnswer status)
    {
        Table table = Report.Table(
            ">rank",
            "server",
            "state",
            ">reaches",
            ">links up",
            ">packets sent",
            ">received",
            ">in use",
            ">dropped"
        );
        foreach (ServerAnswer server in status.Servers)
        {
            Report.Row(
                table,
                $"{server.Rank}",
                server.Coordinate,
                server.State,
                $"{server.Reachable}",
                $"{server.Links.Count(link => link.State == "up")}/{server.Links.Count}",
                Report.Count(server.Links.Sum(link => link.SentPackets)),
                Report.Count(server.Links.Sum(link => link.ReceivedPackets)),
                Report.Count(server.Packets.InUse),
                Report.Count(server.Drops.Values.Sum())
            );
        }

        return table;
    }

    private static Table Services(StatusAnswer status)
    {
        Table table = Report.Table("service", "id", ">running on", ">packets arrived", ">sent", ">faults", "code");
        IEnumerable<ServiceAnswer> all = status.Servers.SelectMany(server => server.Services);
        foreach (IGrouping<string, ServiceAnswer> service in all.GroupBy(service => service.Name))
        {
            Report.Row(
                table,
                service.Key,
                service.First().Id,
                $"{service.Count(s => s.State == "running")}",
                Report.Count(service.Sum(s => s.Arrived)),
                Report.Count(service.Sum(s => s.Sent)),
                Report.Count(service.Sum(s => s.Faults)),
                CodeText.Of(service)
            );
        }

        return table;
    }

    private static string Cables(StatusAnswer status, TorusShape shape)
    {
        const int MostNamed = 8;
        CableAnswer[] faulty = [.. status.Cables.Where(cable => cable.State != "up")];
        IEnumerable<string> names = faulty.Take(MostNamed).Select(c => $"{c.Link} of {shape.At(c.Rank)} is {c.State}");
        string rest =
            faulty.Length > MostNamed ? $", and {faulty.Length - MostNamed} more ('camcube links' shows all)" : "";
        return faulty.Length == 0
            ? $"cables: {status.Cables.Count}, all up"
            : $"cables: {status.Cables.Count}, {faulty.Length} not up: {string.Join(", ", names)}{rest}";
    }
}
