using System.Globalization;
using System.Net;
using System.Text;
using System.Text.RegularExpressions;

namespace CamCube.SystemTests.Pictures;

/// <summary>
/// Rooms on their floors as an SVG, the same text for the same rooms. Arrows point down, from who names to who is
/// named; between floors they pass beside the rooms. Sizes are drawn with two digits.
/// </summary>
internal sealed partial class HousePicture
{
    private const int Margin = 24;
    private const int Head = 56;
    private const int Foot = 58;

    /// <summary>What the note at the bottom needs.</summary>
    private const int NoteWidth = 350;

    /// <summary>Between two floors: for none and for each arrow there, so that many have room to bend.</summary>
    private const int LeastGap = 30;
    private const int GapPerArrow = 3;
    private const int MostGap = 64;
    private const double Slack = 0.2;

    private readonly StringBuilder _svg = new();
    private readonly Plan _plan;

    private HousePicture(Plan plan) => _plan = plan;

    /// <summary>Draws.</summary>
    /// <param name="title">What is drawn.</param>
    /// <param name="rooms">The rooms.</param>
    /// <param name="before">The picture that stands there: its sizes stay while they are off by less than a fifth, so
    /// that not each line turns it out of date. Null: none.</param>
    public static string Draw(string title, IReadOnlyList<Room> rooms, string? before)
    {
        var old = Drawn().Matches(before ?? "").ToDictionary(m => m.Groups[1].Value, m => int.Parse(m.Groups[2].Value));
        Room[] rounded =
        [
            .. rooms.Select(room =>
                room with
                {
                    Lines =
                        old.TryGetValue(room.Name, out int lines) && Math.Abs(lines - room.Lines) <= Slack * lines
                            ? lines
                            : Rounded(room.Lines),
                }
            ),
        ];
        return new HousePicture(Plan.Of(rounded)).Write(title);
    }

    private static int Rounded(int lines)
    {
        int unit = 1;
        while (lines / unit >= 100)
        {
            unit *= 10;
        }

        return (lines + (unit / 2)) / unit * unit;
    }

    private string Write(string title)
    {
        int width = Math.Max((int)_plan.Width + (2 * Margin), NoteWidth);
        int[] tops = new int[_plan.Floors.Count];
        int y = Head;
        for (int i = 0; i < tops.Length; i++)
        {
            tops[i] = y;
            y += _plan.HeightOf(i);
            y += i == tops.Length - 1 ? Foot : Math.Min(MostGap, LeastGap + (GapPerArrow * _plan.ArrowsBelow(i)));
        }

        int height = y;
        Line(
            $"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" """
                + $"""height="{height}" role="img" aria-label="{WebUtility.HtmlEncode(title)}">"""
        );
        Line("<style>" + Style + "</style>");
        Line(
            """<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" """
                + """orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>"""
        );
        Line($"""<rect class="ground" width="{width}" height="{height}" rx="10"/>""");
        Line($"""<text class="title" x="{Margin}" y="34">{WebUtility.HtmlEncode(title)}</text>""");
        for (int i = 0; i < tops.Length; i += 2)
        {
            Line(
                $"""<rect class="floor" x="{Margin / 2}" y="{tops[i] - 14}" width="{width - Margin}" """
                    + $"""height="{_plan.HeightOf(i) + 28}" rx="8"/>"""
            );
        }

        foreach (Spot[] way in _plan.Ways)
        {
            WriteWay(way, tops);
        }

        foreach (Spot spot in _plan.Floors.SelectMany(floor => floor))
        {
            if (spot.Room is { } room)
            {
                WriteRoom(room, spot, tops[spot.Floor]);
            }
        }

        Line(
            $"""<text class="note" x="{Margin}" y="{height - 30}">An arrow points to who is named; arrows that</text>"""
        );
        Line(
            $"""<text class="note" x="{Margin}" y="{height - 15}">follow from others are left out. """
                + """Sizes are lines of code.</text>"""
        );
        Line("</svg>");
        return _svg.ToString();
    }

    private void WriteRoom(Room room, Spot spot, int top)
    {
        int x = (int)Math.Round(spot.X - (spot.Width / 2)) + Margin,
            middle = (int)Math.Round(spot.X) + Margin,
            y = top + ((_plan.HeightOf(spot.Floor) - spot.Height) / 2);
        string name = WebUtility.HtmlEncode(room.Name);
        Line(
            $"""<g class="{room.Kind}" data-room="{name}" data-lines="{room.Lines}"><rect x="{x}" y="{y}" """
                + $"""width="{(int)spot.Width}" height="{spot.Height}" rx="6"/>"""
                + $"""<text class="name" x="{middle}" y="{y + (spot.Height / 2) - 2}">{name}</text>"""
                + $"""<text class="size" x="{middle}" y="{y + (spot.Height / 2) + 15}">{Size(room.Lines)}</text></g>"""
        );
    }

    private void WriteWay(Spot[] way, int[] tops)
    {
        var path = new StringBuilder();
        Spot first = way[0];
        double x = first.Leave(way[1]);
        int y = tops[first.Floor] + ((_plan.HeightOf(first.Floor) + first.Height) / 2);
        path.Append(CultureInfo.InvariantCulture, $"M{Round(x)} {y}");
        for (int i = 1; i < way.Length; i++)
        {
            Spot to = way[i];
            bool isLast = i == way.Length - 1;
            double nextX = isLast ? to.Arrive(way[i - 1]) : to.X;
            int nextY = tops[to.Floor] + (isLast ? (_plan.HeightOf(to.Floor) - to.Height) / 2 : 0);
            int bend = (y + nextY) / 2;
            path.Append(
                CultureInfo.InvariantCulture,
                $"C{Round(x)} {bend} {Round(nextX)} {bend} {Round(nextX)} {nextY - (isLast ? 1 : 0)}"
            );
            (x, y) = (nextX, nextY);
            if (!isLast)
            {
                y += _plan.HeightOf(to.Floor);
                path.Append(CultureInfo.InvariantCulture, $"V{y}");
            }
        }

        Line($"""<path class="way" d="{path}" marker-end="url(#tip)"/>""");
    }

    private static int Round(double x) => (int)Math.Round(x) + Margin;

    private static string Size(int lines) =>
        lines < 1_000
            ? lines.ToString(CultureInfo.InvariantCulture)
            : (lines / 1_000.0).ToString(lines < 10_000 ? "0.0 k" : "0 k", CultureInfo.InvariantCulture);

    private void Line(string text) => _svg.Append(text).Append('\n');

    private const string Style = """
        text{font-family:system-ui,sans-serif;text-anchor:middle}
        .title{font-size:18px;font-weight:600;text-anchor:start;fill:#1b1f24}
        .note{font-size:12px;text-anchor:start;fill:#59636e}
        .name{font-size:13px;font-weight:600;fill:#1b1f24}
        .size{font-size:11px;fill:#59636e}
        .ground{fill:#ffffff}.floor{fill:#f5f6f8}
        .way{fill:none;stroke:#8b95a1;stroke-width:1.2;stroke-opacity:.75}.tip{fill:#8b95a1}
        g rect{stroke-width:1.4}
        .src rect{fill:#e6effb;stroke:#6f95cc}.services rect{fill:#e5f5e8;stroke:#6cae7a}
        .shim rect{fill:#fdf0db;stroke:#d39f4a}.simulator rect{fill:#f1e8fa;stroke:#a184c6}
        .tools rect{fill:#eeeeea;stroke:#9c9c90}
        @media(prefers-color-scheme:dark){
        .title,.name{fill:#e6edf3}.note,.size{fill:#9aa5b1}.ground{fill:#0d1117}.floor{fill:#151b23}
        .way{stroke:#8a96a5}.tip{fill:#8a96a5}
        .src rect{fill:#182a43;stroke:#5882ba}.services rect{fill:#17301e;stroke:#559765}
        .shim rect{fill:#35270f;stroke:#b18137}.simulator rect{fill:#2a1d3b;stroke:#8668ad}
        .tools rect{fill:#262622;stroke:#7b7b70}}
        """;

    [GeneratedRegex("data-room=\"([^\"]+)\" data-lines=\"(\\d+)\"")]
    private static partial Regex Drawn();
}
