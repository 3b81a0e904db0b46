using System.Globalization;
using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests.Differential;

/// <summary>
/// Random commands of the text protocol and its meta commands, in batches that are sent at once. A token that the
/// server is to be asked for stands in them as <c>{key}</c>. Keys begin with the stream's number, so streams do not
/// meet.
/// </summary>
internal sealed class TextStream(int seed)
{
    private const int MostBatches = 40;

    // Below it answers of two clocks could differ by the second that passes between them.
    private static readonly string[] Expiries = ["0", "100", "200", "1000", "-1", "2592000", "4000000000", "x", ""];
    private static readonly string[] Lengths = ["0", "1", "2", "3", "10", "300"];

    private readonly Random _random = new(seed);
    private readonly StringBuilder _batch = new();

    /// <summary>The batches.</summary>
    public IEnumerable<string> Batches()
    {
        for (int left = _random.Next(5, MostBatches); left > 0; left--)
        {
            // A read holds its item until its answer is sent, and a count on a held item is stored in another way: both
            // would be in one batch by chance only.
            _batch.Clear();
            if (_random.Next(3) == 0)
            {
                AddCount();
            }
            else
            {
                AddSome();
            }

            yield return _batch.ToString();
        }
    }

    private void AddSome()
    {
        for (int left = _random.Next(1, 4); left > 0; left--)
        {
            switch (_random.Next(12))
            {
                case < 3:
                    AddGet();
                    break;
                case < 5:
                    AddStore();
                    break;
                case 5:
                    AddOther();
                    break;
                case < 8:
                    AddMetaGet();
                    break;
                case < 10:
                    AddMetaSet();
                    break;
                case 10:
                    AddMetaDelete();
                    break;
                default:
                    _batch.Append(CultureInfo.InvariantCulture, $"me {MetaKey(out string binary)}{binary}\r\n");
                    break;
            }
        }
    }

    private void AddGet()
    {
        string verb = Pick("get", "gets", "gat", "gats", "bget", "getx");
        string expiry = verb.StartsWith("ga", StringComparison.Ordinal) ? Expiry() + " " : "";
        string keys = string.Join(Pick(" ", "  "), Enumerable.Range(0, _random.Next(0, 4)).Select(_ => Key()));
        _batch.Append(CultureInfo.InvariantCulture, $"{verb} {expiry}{keys}\r\n");
    }

    private void AddStore()
    {
        string verb = Pick("set", "set", "set", "add", "replace", "append", "prepend", "cas");
        string key = Key();
        string value = Value();
        string token = verb == "cas" ? " " + Token(key) : "";
        string noReply = Rarely() ? " noreply" : "";
        string flags = Pick("0", "1", "4294967295", "4294967296", "+7", "-1", "x");
        _batch.Append(
            CultureInfo.InvariantCulture,
            $"{verb} {key} {flags} {Expiry()} {value.Length}{token}{noReply}\r\n{value}{(Rarely() ? "x" : "")}\r\n"
        );
    }

    private void AddOther()
    {
        string line = _random.Next(9) switch
        {
            0 => $"delete {Key()}{Pick("", "", " 0", " noreply", " 1", " 0 noreply")}",
            1 => $"touch {Key()} {Expiry()}{(Rarely() ? " noreply" : "")}",
            2 => Pick("flush_all", "flush_all 0", "flush_all x", "flush_all noreply", "flush_all -1"),
            3 => Pick("verbosity 0", "verbosity", "verbosity x", "verbosity 0 noreply"),
            4 => Pick(
                "lru",
                "lru mode flat",
                "lru mode x",
                "lru tune 10 10 0.1 2",
                "lru tune 50 50 1 1",
                "lru temp_ttl 5"
            ),
            5 => Pick("slabs", "slabs automove 0", "slabs automove 9", "slabs automove x", "slabs automove ratio 0.5"),
            6 => Pick("cache_memlimit 1", "cache_memlimit", "cache_memlimit x", "cache_memlimit 2000000000"),
            7 => Pick("stats detail", "stats foo", "stats detail on", "stats detail off", "stats reset"),
            _ => Pick(
                "foo",
                "a",
                "",
                " ",
                "mx",
                "mg",
                "ms",
                "ma a b c d",
                "quitter",
                "lru_crawler tocrawl 1",
                "shutdown"
            ),
        };
        _batch.Append(line).Append(Pick("\r\n", "\n", " \r\n"));
    }

    private void AddCount()
    {
        string key = Key() + "n";
        if (_random.Next(3) == 0)
        {
            string value = Pick("0", "9", "10", "99", "x", "", "18446744073709551615", " 5", "7 ", "5x");
            _batch.Append(
                CultureInfo.InvariantCulture,
                $"set {key} 3 {Pick("0", "100")} {value.Length}\r\n{value}\r\n"
            );
        }
        else if (_random.Next(2) == 0)
        {
            string delta = Pick("1", "10", "0", "-1", "x", "18446744073709551615", "+2", "");
            _batch.Append(
                CultureInfo.InvariantCulture,
                $"{Pick("incr", "decr")} {key} {delta}{(Rarely() ? " noreply" : "")}\r\n"
            );
        }
        else if (_random.Next(4) == 0)
        {
            _batch.Append(CultureInfo.InvariantCulture, $"{Pick("gets", "mg")} {key} v f t\r\n");
        }
        else
        {
            AddMetaCount(key);
        }
    }

    private void AddMetaCount(string key)
    {
        var flags = new List<string>();
        Maybe(flags, "v", "k", Opaque(), "c", "q", "D" + Pick("1", "5", "100", "x"), "J" + Pick("0", "13", "x"));
        Maybe(flags, "M" + Pick("I", "D", "+", "-", "X", "II", ""), "C" + Token(key), "s", "?");

        // T and N are done in the order in which they stand, and t is told in between.
        AddInOrder(flags, _random.Next(2) == 0 ? "T" + Expiry() : "N" + Expiry());
        _batch.Append(CultureInfo.InvariantCulture, $"ma {key} {string.Join(' ', flags)}\r\n");
    }

    private void AddMetaGet()
    {
        string key = MetaKey(out string binary);
        var flags = new List<string>();
        Maybe(flags, "v", "v", "s", "k", "c", "f", "h", "l", "q", "u", Opaque(), "M5", "Cx", "?");
        if (_random.Next(3) == 0)
        {
            flags.Insert(0, "R" + Pick("30", "150", "0", "x"));
        }

        // memcached forgets that the key is bytes when it makes the item.
        AddInOrder(flags, (_random.Next(2) == 0 || binary != "" ? "T" : "N") + Expiry());
        _batch.Append(CultureInfo.InvariantCulture, $"mg {key}{binary} {string.Join(' ', flags)}\r\n");
    }

    private void AddMetaSet()
    {
        string key = MetaKey(out string binary);
        string value = Value();
        var flags = new List<string>();
        Maybe(flags, "k", "c", Opaque(), "q", "I", "F" + Pick("0", "5", "x"), "T" + Expiry(), "s", "?");
        Maybe(flags, "M" + Pick("E", "A", "P", "R", "S", "X", ""), "C" + Token(binary == "" ? key : "b"));
        string length = Rarely() ? Pick("-1", "x", "") : value.Length.ToString(CultureInfo.InvariantCulture);
        _batch.Append(
            CultureInfo.InvariantCulture,
            $"ms {key} {length}{binary} {string.Join(' ', flags)}\r\n{value}{(Rarely() ? "x" : "")}\r\n"
        );
    }

    private void AddMetaDelete()
    {
        string key = MetaKey(out string binary);
        var flags = new List<string>();
        Maybe(flags, "k", "q", "I", Opaque(), "T" + Expiry(), "C" + Token(key), "v", "?");
        _batch.Append(CultureInfo.InvariantCulture, $"md {key}{binary} {string.Join(' ', flags)}\r\n");
    }

    private void AddInOrder(List<string> flags, string changing)
    {
        int place = _random.Next(flags.Count + 1);
        if (_random.Next(2) == 0)
        {
            flags.Insert(place, changing);
        }

        if (_random.Next(2) == 0)
        {
            flags.Insert(_random.Next(Math.Min(place + 1, flags.Count), flags.Count + 1), "t");
        }
    }

    private void Maybe(List<string> flags, params ReadOnlySpan<string> all)
    {
        foreach (string flag in all)
        {
            bool isWrong = flag.EndsWith('x') || flag.EndsWith('?');
            if (_random.Next(isWrong ? 20 : 4) == 0)
            {
                flags.Insert(_random.Next(flags.Count + 1), flag);
            }
        }
    }

    private string Key() => $"{seed}{Pick("a", "b", "c")}";

    private string MetaKey(out string binary)
    {
        binary = _random.Next(4) == 0 ? " b" : "";
        if (binary == "")
        {
            return Key();
        }

        string text = Convert.ToBase64String(Encoding.Latin1.GetBytes($"{seed}\0\n{Pick("x", "yy", "zzz")}"));
        return Rarely() ? text[1..] : text;
    }

    private string Token(string key) =>
        _random.Next(4) == 0 ? Pick("0", "1", "x", "18446744073709551615") : $"{{{key}}}";

    private string Opaque() => "O" + Pick("", "abc", "123", new string('o', 31));

    private string Expiry() => _random.Next(3) == 0 ? Pick(Expiries) : "0";

    private string Value() =>
        new((char)('a' + _random.Next(26)), int.Parse(Pick(Lengths), CultureInfo.InvariantCulture));

    private bool Rarely() => _random.Next(15) == 0;

    private string Pick(params ReadOnlySpan<string> all) => all[_random.Next(all.Length)];
}
