using System.CommandLine;
using System.Globalization;

namespace CamCube.Tool.Syntax;

/// <summary>What says which fault, and where: the same for one host and for a testbed. The host checks what belongs
/// together.</summary>
internal sealed class FaultOptions
{
    private static readonly string[] Kinds =
    [
        "loss",
        "corruption",
        "duplication",
        "delay",
        "reordering",
        "rate",
        "cut",
        "flapping",
    ];
    private static readonly string[] Ways = ["out", "in", "both"];

    private readonly Argument<string> _kind = new("KIND")
    {
        Description = $"{string.Join(", ", Kinds)} (docs/faults.md).",
        CustomParser = Values.Of<string>(
            (string text, out string kind) => Kinds.Contains(kind = text),
            $"is no kind of fault; there are {string.Join(", ", Kinds)}"
        ),
    };

    private readonly Option<string> _at = new("--at")
    {
        Description = "A server (13 or 1,1,1), or one of its links (0,0,0:+x). Without it, all links of the host.",
        HelpName = "PLACE",
        CustomParser = Values.Of<string>(
            (string text, out string at) => (at = Plain(text)).Length > 0,
            "must be a server, as in 13 or 1,1,1, or one of its links, as in 0,0,0:+x or 13:mz"
        ),
    };

    private readonly Option<string> _way = new("--way")
    {
        Description = "out: what the server sends; in: what is sent to it; both. A real server knows only out.",
        HelpName = "out|in|both",
        CustomParser = Values.Of<string>(
            (string text, out string way) => Ways.Contains(way = text),
            "must be out, in or both"
        ),
    };

    private readonly Option<string> _service = new("--service")
    {
        Description = "Only packets of this service: its name, or an id as in 0x0001.",
        HelpName = "SERVICE",
    };
    private readonly Option<double?> _probability = Part(
        "--probability",
        "loss, corruption, duplication, reordering: how many packets"
    );
    private readonly Option<Duration?> _time = Time("--time", "delay, reordering: how much later, or up to how much");
    private readonly Option<Duration?> _jitter = Time("--jitter", "delay: up to this much later again, in order");
    private readonly Option<Duration?> _period = Time("--period", "flapping: one up and one down together");
    private readonly Option<double?> _up = Part("--up", "flapping: which part of a period links are up");

    private readonly Option<BitRate?> _rate = Values.Optional<BitRate>(
        "--rate",
        "RATE",
        "rate: what a link carries (1mbit to 100gbit).",
        BitRate.TryParse,
        "must be a rate with its unit, as in 20mbit or 1.5gbit, from 1mbit to 100gbit"
    );

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_kind);
        foreach (Option option in (Option[])[_at, _way, _service, _probability, _time, _jitter, _rate, _period, _up])
        {
            command.Add(option);
        }
    }

    /// <summary>The place that was named, or null: all links.</summary>
    public string? At(ParseResult parsed) => parsed.GetValue(_at);

    /// <summary>The way that was named, or null.</summary>
    public string? Way(ParseResult parsed) => parsed.GetValue(_way);

    /// <summary>Path and query of the order to a host.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="at">The place, or null: all links of the host.</param>
    /// <param name="way">Which way, or null: as the host thinks best.</param>
    public string Order(ParseResult parsed, string? at, string? way)
    {
        (string Name, string? Value)[] arguments =
        [
            ("at", at),
            ("way", way),
            ("service", parsed.GetValue(_service)),
            ("probability", Text(parsed.GetValue(_probability))),
            ("time", parsed.GetValue(_time)?.ToString()),
            ("jitter", parsed.GetValue(_jitter)?.ToString()),
            ("rate", parsed.GetValue(_rate)?.BitsPerSecond.ToString(CultureInfo.InvariantCulture)),
            ("period", parsed.GetValue(_period)?.ToString()),
            ("up", Text(parsed.GetValue(_up))),
        ];
        string query = string.Join(
            '&',
            arguments.Where(a => a.Value is not null).Select(a => $"{a.Name}={Uri.EscapeDataString(a.Value!)}")
        );
        return $"/api/faults/{parsed.GetValue(_kind)}{(query.Length > 0 ? "?" : "")}{query}";
    }

    // A server, or a link, whose + could be taken for a space.
    private static string Plain(string text) =>
        CapturedLink.TryParse(text, out CapturedLink link) ? $"{link.Server.Text}:{link.Link.PlainName()}"
        : ServerName.TryParse(text, out ServerName server) ? server.Text
        : "";

    private static string? Text(double? part) => part?.ToString(CultureInfo.InvariantCulture);

    private static Option<double?> Part(string name, string description) =>
        Values.Optional<double>(
            name,
            "P",
            $"{description} (0 to 1).",
            (string text, out double part) =>
                double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out part)
                && part <= 1,
            "must be a number from 0 to 1, as in 0.01"
        );

    private static Option<Duration?> Time(string name, string description) =>
        Values.Optional<Duration>(
            name,
            "TIME",
            $"{description} (up to 3600s).",
            (string text, out Duration time) => Duration.TryParse(text, out time) && time.Value > TimeSpan.Zero,
            "must be a time with its unit, as in 500us, 20ms or 1.5s"
        );
}
