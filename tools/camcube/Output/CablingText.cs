using System.Globalization;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;

namespace CamCube.Tool.Output;

/// <summary>The cabling of a cube in ASCII: who is where, what is heard where nothing passes, and what is
/// wrong.</summary>
internal static class CablingText
{
    private const int MostServersDrawn = 1_000;
    private const int Digits = 8;

    /// <summary>Prints it.</summary>
    public static void Show(Report report, CablingAnswer cabling)
    {
        TorusShape shape = cabling.Torus;
        report.Line(
            $"cube {cabling.ClusterId}: {shape} ({shape.Count} servers), {cabling.Servers.Count} heard, "
                + $"{cabling.WorkingCables} of {cabling.ExpectedCables} cables work"
        );
        string place = cabling.Coordinate ?? "no place yet";
        string frames = cabling.MaxFrameLength > 0 ? $", frames up to {cabling.MaxFrameLength} bytes" : "";
        report.Line(
            $"server {cabling.ServerId}: {cabling.Phase}, {place}, {cabling.AdmittedLinks} of "
                + $"{cabling.ExpectedLinks} links admitted{frames}"
        );
        if (cabling.MapEpochMillis is { } millis)
        {
            report.Line($"map made {When(millis)} by server {Short(cabling.MapMaker)}");
        }

        if (cabling.Waiting is { } waiting)
        {
            report.Line(waiting);
        }

        if (shape.Count <= MostServersDrawn && cabling.Servers.Any(server => server.Coordinate is not null))
        {
            Draw(report, cabling, shape);
        }

        Ports(report, cabling);
        foreach (CablingFaultAnswer fault in cabling.Faults)
        {
            report.Line($"! {fault.Text}");
        }

        report.Line(
            cabling.Faults.Count switch
            {
                0 => "no faults",
                1 => "1 fault",
                int n => $"{n} faults",
            }
        );
    }

    /// <summary>A layer for each z, y downwards, x to the right: identity and links in use of each server. A line
    /// between two servers is a cable that works; those to the next layer and around the cube are not drawn.</summary>
    private static void Draw(Report report, CablingAnswer cabling, TorusShape shape)
    {
        var at = new Dictionary<string, CablingServerAnswer>();
        foreach (CablingServerAnswer server in cabling.Servers)
        {
            if (server.Coordinate is { } place)
            {
                at.TryAdd(place, server);
            }
        }

        for (int z = 0; z < shape.Z; z++)
        {
            report.Line($"z={z}");
            for (int y = 0; y < shape.Y; y++)
            {
                var line = new List<string>();
                var below = new List<string>();
                for (int x = 0; x < shape.X; x++)
                {
                    CablingServerAnswer? server = at.GetValueOrDefault($"{x},{y},{z}");
                    string cell = server is null ? new string('.', Digits) : Short(server.ServerId);
                    string links = server is null ? "   " : $"({server.Ports.Count(port => port.Admitted)})";
                    line.Add($"{cell}{links}{(x + 1 == shape.X ? "" : Works(server, "+x") ? "---" : "   ")}");
                    below.Add($"    {(y + 1 < shape.Y && Works(server, "+y") ? "|" : " ")}         ");
                }

                report.Line($"  y={y, -4} {string.Concat(line)}".TrimEnd());
                if (y + 1 < shape.Y)
                {
                    report.Line($"         {string.Concat(below)}".TrimEnd());
                }
            }
        }
    }

    private static bool Works(CablingServerAnswer? server, string link) =>
        server?.Ports.Any(port => port.Link == link && port.Admitted) == true;

    /// <summary>The ports that carry nothing although somebody is heard there, and what is listened on only.</summary>
    private static void Ports(Report report, CablingAnswer cabling)
    {
        var table = Report.Table("server", "at", "port", "link", "hears", "server", "port", "link");
        int rows = 0;
        foreach (CablingServerAnswer server in cabling.Servers)
        {
            foreach (CablingPortAnswer port in server.Ports.Where(port => !port.Admitted && port.Heard != "nothing"))
            {
                rows++;
                Report.Row(
                    table,
                    Short(server.ServerId),
                    server.Coordinate ?? "-",
                    port.Name,
                    port.Link ?? "-",
                    port.Heard + (port.Detail is null ? "" : $" ({port.Detail})"),
                    port.PeerCoordinate ?? Short(port.PeerServerId),
                    port.PeerPort ?? "-",
                    port.PeerLink ?? "-"
                );
            }
        }

        if (rows > 0)
        {
            report.Line("ports that carry nothing although somebody is heard:");
            report.Print(table);
        }
    }

    private static string Short(string? id) => id is null ? "-" : id[..Math.Min(Digits, id.Length)];

    private static string When(long millis) =>
        millis is >= 0 and < 253_402_300_800_000
            ? DateTimeOffset
                .FromUnixTimeMilliseconds(millis)
                .ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) + " UTC"
            : $"at millisecond {millis}";
}
