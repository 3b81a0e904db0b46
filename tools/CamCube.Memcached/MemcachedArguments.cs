using System.Globalization;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Memcached;

/// <summary>memcached's command line: getopt's rules, memcached's flags.</summary>
internal static class MemcachedArguments
{
    private const int LeastItem = 1 << 10;
    private const int MostItem = 64 << 20;

    private static readonly Flag[] Flags =
    [
        new('a', "unix-mask", (s, v) => s.UnixMode = Octal(v)),
        new('A', "enable-shutdown", s => s.AllowShutdown = true),
        new('b', "listen-backlog", (s, v) => s.Backlog = Number("-b", v, 1, 1_000_000)),
        new(
            'B',
            "protocol",
            (s, v) =>
                s.Protocol = v switch
                {
                    "auto" => MemcachedProtocol.Auto,
                    "ascii" => MemcachedProtocol.Ascii,
                    "binary" => MemcachedProtocol.Binary,
                    _ => throw new MemcachedException(
                        $"Invalid value for binding protocol: {v}\n -- should be one of auto, binary, or ascii"
                    ),
                }
        ),
        new('c', "conn-limit", (s, v) => s.MaxConnections = Positive("-c", v, 1_000_000, "Maximum connections")),
        new('C', "disable-cas", s => s.NoCas = true),
        new('d', "daemon", s => s.Daemon = true),
        new(
            'D',
            null,
            (s, v) =>
                s.PrefixDelimiter = v is [> ' ' and < '\x7f', ..]
                    ? v[..1]
                    : throw new MemcachedException("No delimiter specified")
        ),
        new(
            'e',
            "memory-file",
            (_, _) => throw new MemcachedException("-e is not supported: items are not kept in a file.")
        ),
        new('f', "slab-growth-factor", Ignored("-f")),
        new('F', "disable-flush-all", s => s.NoFlush = true),
        new('h', "help", s => s.Print = MemcachedPrint.Help),
        new('i', "license", s => s.Print = MemcachedPrint.License),
        new('I', "max-item-size", (s, v) => s.MaxItem = ItemSize(v)),
        new('k', "lock-memory", s => s.WithoutEffect.Add("-k")),
        new('l', "listen", (s, v) => s.Addresses.AddRange(v.Split(',', StringSplitOptions.RemoveEmptyEntries))),
        new('L', "enable-largepages", s => s.WithoutEffect.Add("-L")),
        new('m', "memory-limit", (s, v) => s.Megabytes = Number("-m", v, 1, 1 << 20)),
        new('M', "disable-evictions", s => s.NoEviction = true),
        new('n', "slab-min-size", Ignored("-n")),
        new('N', "napi-ids", Ignored("-N")),
        new('o', "extended", MemcachedExtended.Parse),
        new('p', "port", (s, v) => (s.Port, s.HasPort) = (Number("-p", v, -1, 65_535), true)),
        new('P', "pidfile", (s, v) => s.PidFile = v),
        new('r', "enable-coredumps", s => s.WithoutEffect.Add("-r")),
        new(
            'R',
            "max-reqs-per-event",
            (s, v) => s.CommandsPerTurn = Positive("-R", v, 1_000_000, "Number of requests per event")
        ),
        new('s', "unix-socket", (s, v) => s.UnixSocket = v),
        new('S', "enable-sasl", _ => throw new MemcachedException("This server is not built with SASL support.")),
        new('t', "threads", (s, v) => s.Threads = Positive("-t", v, 1_024, "Number of threads")),
        new('u', "user", (s, v) => s.User = v),
        new(
            'U',
            "udp-port",
            (_, v) =>
            {
                if (Number("-U", v, 0, 65_535) != 0)
                {
                    throw new MemcachedException($"-U {v} is not supported: there is no UDP protocol here, only -U 0.");
                }
            }
        ),
        new('v', "verbose", s => s.Verbosity++),
        new('V', "version", s => s.Print = MemcachedPrint.Version),
        new('W', "disable-watch", s => s.WithoutEffect.Add("-W")),
        new('X', "disable-dumping", s => s.NoDump = true),
        new('Y', "auth-file", (s, v) => s.AuthFile = v),
        new('Z', "enable-ssl", s => s.Tls = true),
    ];

    /// <summary>Reads a command line.</summary>
    /// <exception cref="MemcachedException">It is wrong; the message says how.</exception>
    public static MemcachedSettings Parse(IReadOnlyList<string> arguments)
    {
        var settings = new MemcachedSettings();
        for (int i = 0; i < arguments.Count; i++)
        {
            string argument = arguments[i];
            if (argument.StartsWith("--", StringComparison.Ordinal))
            {
                ParseLong(settings, arguments, ref i);
            }
            else if (argument.Length > 1 && argument[0] == '-')
            {
                ParseShort(settings, arguments, ref i);
            }
            else
            {
                throw new MemcachedException($"unexpected argument '{argument}'");
            }
        }

        // memcached takes -s for "this and nothing else" unless a port was asked for.
        if (settings.UnixSocket is not null && !settings.HasPort)
        {
            settings.Port = 0;
        }

        return settings;
    }

    /// <summary>A number of a flag.</summary>
    /// <exception cref="MemcachedException">It is none, or not within the limits.</exception>
    public static int Number(string flag, string text, int least, int most) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number)
        && number >= least
        && number <= most
            ? number
            : throw new MemcachedException($"{flag} is '{text}', allowed are numbers from {least} to {most}");

    // memcached has a sentence of its own for these.
    private static int Positive(string flag, string text, int most, string what) =>
        text is "0" || text.StartsWith('-')
            ? throw new MemcachedException($"{what} must be greater than 0")
            : Number(flag, text, 1, most);

    private static void ParseLong(MemcachedSettings settings, IReadOnlyList<string> arguments, ref int i)
    {
        string argument = arguments[i][2..];
        int equals = argument.IndexOf('=', StringComparison.Ordinal);
        string name = equals < 0 ? argument : argument[..equals];
        Flag flag =
            Array.Find(Flags, f => f.Long == name) ?? throw new MemcachedException($"unrecognized option '--{name}'");
        if (!flag.TakesValue)
        {
            flag.Set(
                settings,
                equals < 0 ? "" : throw new MemcachedException($"option '--{name}' doesn't allow an argument")
            );
            return;
        }

        string value =
            equals >= 0 ? argument[(equals + 1)..]
            : i + 1 < arguments.Count ? arguments[++i]
            : throw new MemcachedException($"option '--{name}' requires an argument");
        flag.Set(settings, value);
    }

    private static void ParseShort(MemcachedSettings settings, IReadOnlyList<string> arguments, ref int i)
    {
        string argument = arguments[i];
        for (int at = 1; at < argument.Length; at++)
        {
            char letter = argument[at];
            Flag flag =
                Array.Find(Flags, f => f.Letter == letter)
                ?? throw new MemcachedException($"Illegal argument \"{letter}\"");
            if (!flag.TakesValue)
            {
                flag.Set(settings, "");
                continue;
            }

            string value =
                at + 1 < argument.Length ? argument[(at + 1)..]
                : i + 1 < arguments.Count ? arguments[++i]
                : throw new MemcachedException($"option requires an argument -- '{letter}'");
            flag.Set(settings, value);
            return;
        }
    }

    private static Action<MemcachedSettings, string> Ignored(string flag) =>
        (settings, _) => settings.WithoutEffect.Add(flag);

    private static int ItemSize(string text)
    {
        int scale =
            text.Length == 0
                ? 1
                : char.ToLowerInvariant(text[^1]) switch
                {
                    'k' => 1 << 10,
                    'm' => 1 << 20,
                    'g' => 1 << 30,
                    _ => 1,
                };
        string digits = scale == 1 ? text : text[..^1];
        if (!long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out long number))
        {
            throw new MemcachedException($"-I '{text}' is no size; allowed are 1k to 64m");
        }

        return (number * scale) switch
        {
            < LeastItem => throw new MemcachedException("Item max size cannot be less than 1024 bytes."),
            > MostItem => throw new MemcachedException("Cannot set item size limit higher than 64m here."),
            long size => (int)size,
        };
    }

    private static string Octal(string text) =>
        text.Length is > 0 and <= 5 && text.All(c => c is >= '0' and <= '7')
            ? text.TrimStart('0').PadLeft(3, '0')
            : throw new MemcachedException($"-a '{text}' is no octal mode");

    private sealed class Flag
    {
        public Flag(char letter, string? name, Action<MemcachedSettings> set)
            : this(letter, name, (settings, _) => set(settings)) => TakesValue = false;

        public Flag(char letter, string? name, Action<MemcachedSettings, string> set) =>
            (Letter, Long, Set, TakesValue) = (letter, name, set, true);

        public char Letter { get; }

        public string? Long { get; }

        public Action<MemcachedSettings, string> Set { get; }

        public bool TakesValue { get; private init; }
    }
}
