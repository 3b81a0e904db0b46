using System.Globalization;
using System.Text;
using CamCube.ValueTexts;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>What a request line asks for. Immutable.</summary>
/// <remarks>It is read from the line as it was sent: what ASP.NET makes of a path is text, in which other bytes than
/// UTF-8 and an encoded slash are lost.</remarks>
internal sealed record KeyValueTarget
{
    private const string Root = "/kv/";
    private static readonly string[] Names =
    [
        "key",
        "table",
        "reads",
        "wait",
        "timeout",
        "prefix",
        "cursor",
        "limit",
        "op",
    ];

    private const int UsualLimit = 1_000;

    private KeyValueTarget() { }

    /// <summary>The list that is asked for, where there is no key; null: a key is.</summary>
    public ListTarget? List { get; private init; }

    /// <summary>The key.</summary>
    public KeyValueKey Key { get; private init; }

    /// <summary>What a POST does: <c>add</c> or <c>append</c>; null: not said.</summary>
    public string? Op { get; private init; }

    /// <summary>What a read may answer.</summary>
    public KeyValueReads Reads { get; private init; }

    /// <summary>The version that is known to who waits for another; 0: none. Null: nobody waits.</summary>
    public ulong? Wait { get; private init; }

    /// <summary>How long to wait; null: not said.</summary>
    public TimeSpan? Timeout { get; private init; }

    /// <summary>Reads the target of a request line.</summary>
    /// <param name="raw">The target as it was sent.</param>
    /// <param name="target">What it asks for.</param>
    /// <param name="wrong">What is wrong with it; null and false: it is none of the store's.</param>
    public static bool TryRead(string raw, out KeyValueTarget target, out string? wrong)
    {
        (target, wrong) = (new KeyValueTarget(), null);
        ReadOnlySpan<char> rest = Origin(raw);
        if (!rest.StartsWith(Root, StringComparison.Ordinal))
        {
            return false;
        }

        rest = rest[Root.Length..];
        int mark = rest.IndexOf('?');
        ReadOnlySpan<char> path = mark < 0 ? rest : rest[..mark],
            query = mark < 0 ? default : rest[(mark + 1)..];
        Dictionary<string, byte[]> given = new(StringComparer.Ordinal);
        if (!TryQuery(query, given, out wrong) || !TryDecode(path, out byte[] key, out wrong))
        {
            return false;
        }

        if (given.Remove("key", out byte[]? named))
        {
            if (path.Length > 0)
            {
                wrong = "the key is in the path and in the query; one of them is enough.";
                return false;
            }

            key = named;
        }

        if (path.IsEmpty && named is null)
        {
            wrong = target.TakeList(given, out target);
            return wrong is null;
        }

        wrong = key.Length is >= 1 and <= KeyValueKey.MostBytes
            ? target.Take(key, given, out target)
            : $"a key has 1 to {KeyValueKey.MostBytes:N0} bytes; this one has {key.Length:N0}.";
        return wrong is null;
    }

    /// <summary>The version of an ETag's text; false: it is none that this store ever gave.</summary>
    public static bool TryVersion(ReadOnlySpan<char> tag, out ulong version) =>
        ulong.TryParse(tag, NumberStyles.None, CultureInfo.InvariantCulture, out version)
        && (tag.Length == 1 || tag[0] != '0');

    // A request line to a proxy has scheme and host in front.
    private static ReadOnlySpan<char> Origin(string raw)
    {
        if (raw.StartsWith('/'))
        {
            return raw;
        }

        int host = raw.IndexOf("://", StringComparison.Ordinal);
        int path = host < 0 ? -1 : raw.IndexOf('/', host + 3);
        return path < 0 ? default : raw.AsSpan(path);
    }

    private static bool TryQuery(ReadOnlySpan<char> query, Dictionary<string, byte[]> given, out string? wrong)
    {
        wrong = null;
        foreach (Range range in query.Split('&'))
        {
            ReadOnlySpan<char> one = query[range];
            if (one.IsEmpty)
            {
                continue;
            }

            int equals = one.IndexOf('=');
            string name = (equals < 0 ? one : one[..equals]).ToString();
            if (!TryDecode(equals < 0 ? default : one[(equals + 1)..], out byte[] value, out wrong))
            {
                return false;
            }

            wrong =
                !Names.Contains(name) ? $"'{Shown(name)}' is no parameter; there are {string.Join(", ", Names)}."
                : given.TryAdd(name, value) ? null
                : $"{name} is given twice.";
            if (wrong is not null)
            {
                return false;
            }
        }

        return true;
    }

    private static bool TryDecode(ReadOnlySpan<char> text, out byte[] bytes, out string? wrong)
    {
        byte[] all = new byte[text.Length];
        int length = 0;
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] != '%')
            {
                all[length++] = (byte)text[i];
            }
            else if (i + 2 < text.Length && char.IsAsciiHexDigit(text[i + 1]) && char.IsAsciiHexDigit(text[i + 2]))
            {
                all[length++] = Convert.FromHexString(text.Slice(i + 1, 2))[0];
                i += 2;
            }
            else
            {
                (bytes, wrong) = ([], "two hexadecimal digits follow a percent sign; the sign itself is %25.");
                return false;
            }
        }

        (bytes, wrong) = (all[..length], null);
        return true;
    }

    private static string Shown(string text) => text.Length > 40 ? text[..40] + "..." : text;

    private string? TakeList(Dictionary<string, byte[]> given, out KeyValueTarget target)
    {
        target = this;
        string? wrong = TakeTable(given, out int table);
        if (wrong is not null)
        {
            return wrong;
        }

        if (given.Keys.FirstOrDefault(name => name is "reads" or "wait" or "timeout" or "op") is { } foreign)
        {
            return $"{foreign} goes with a key.";
        }

        int limit = UsualLimit;
        byte[] prefix = given.GetValueOrDefault("prefix", []);
        if (prefix.Length > KeyValueKey.MostBytes)
        {
            return $"a prefix has {KeyValueKey.MostBytes:N0} bytes at most; this one has {prefix.Length:N0}.";
        }

        if (
            Text(given, "limit") is { } most
            && !(TryNumber(most, out limit) && limit is >= 1 and <= KeyValuePage.MostKeys)
        )
        {
            return $"limit={Shown(most)}: a part of a list has 1 to {KeyValuePage.MostKeys:N0} keys.";
        }

        target = new KeyValueTarget
        {
            List = new ListTarget(new KeyValueKey(prefix, table), Text(given, "cursor"), limit),
        };
        return null;
    }

    private static string? TakeTable(Dictionary<string, byte[]> given, out int table)
    {
        table = 0;
        return Text(given, "table") is { } text && !(TryNumber(text, out table) && table < 16)
            ? $"table={Shown(text)}: a table is 0 to 15."
            : null;
    }

    private static string? Text(Dictionary<string, byte[]> given, string name) =>
        given.TryGetValue(name, out byte[]? value) ? Encoding.Latin1.GetString(value) : null;

    private string? Take(byte[] key, Dictionary<string, byte[]> given, out KeyValueTarget target)
    {
        target = this;
        ulong version = 0;
        TimeSpan timeout = default;
        string? reads = Text(given, "reads"),
            wait = Text(given, "wait"),
            time = Text(given, "timeout"),
            op = Text(given, "op");
        if (TakeTable(given, out int table) is { } wrong)
        {
            return wrong;
        }

        if (given.Keys.FirstOrDefault(name => name is "prefix" or "cursor" or "limit") is { } foreign)
        {
            return $"{foreign} goes with a list, which has no key.";
        }

        if (op is not (null or "add" or "append"))
        {
            return $"op={Shown(op)}: there are add and append.";
        }

        if (reads is not null && reads is not ("latest" or "any"))
        {
            return $"reads={Shown(reads)}: there are latest and any.";
        }

        if (wait is not null && !TryVersion(wait.AsSpan().Trim('"'), out version))
        {
            return $"wait={Shown(wait)}: the ETag that is known is wanted; 0: there is no value.";
        }

        if (time is not null && !(DurationText.TryParse(time, out timeout) && timeout >= TimeSpan.Zero))
        {
            return $"timeout={Shown(time)}: {DurationText.Allowed}.";
        }

        if (time is not null && wait is null)
        {
            return "timeout goes with wait.";
        }

        target = new KeyValueTarget
        {
            Key = new KeyValueKey(key, table),
            Op = op,
            Reads = reads == "any" ? KeyValueReads.Any : KeyValueReads.Latest,
            Wait = wait is null ? null : version,
            Timeout = time is null ? null : timeout,
        };
        return null;
    }

    private static bool TryNumber(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
