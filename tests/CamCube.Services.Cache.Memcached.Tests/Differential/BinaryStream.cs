using System.Globalization;

namespace CamCube.Services.Cache.Memcached.Tests.Differential;

/// <summary>
/// Random requests of the binary protocol, in batches that are sent at once; maybe a malformed one at the end, after
/// which servers close. Keys begin with the stream's number, so streams do not meet.
/// </summary>
internal sealed class BinaryStream(int seed)
{
    /// <summary>In place of a token: the one that the server told last for the key.</summary>
    public const ulong LastToken = 0xfeed_feed_feed_feed;

    private const int MostBatches = 40;

    private readonly Random _random = new(seed);
    private uint _opaque;

    /// <summary>The batches.</summary>
    public IEnumerable<IReadOnlyList<BinaryFrame>> Batches()
    {
        for (int left = _random.Next(5, MostBatches); left > 0; left--)
        {
            // Counts on their own: memcached stores a count on an item that an unsent answer holds in another way.
            yield return _random.Next(4) == 0
                ? [Count()]
                : [.. Enumerable.Range(0, _random.Next(1, 5)).Select(_ => Some())];
        }
    }

    /// <summary>What ends the stream: nothing, or bytes after which the server closes the connection.</summary>
    public string? LastBytes() =>
        _random.Next(8) switch
        {
            0 => new string('\0', 24),
            1 => "get a\r\n" + new string(' ', 24),
            2 => Frame(0x0a) with { Key = "x" } is { } noop ? noop.ToRequest() : null,
            3 => (Frame(0x00) with { Key = new string('k', 251) }).ToRequest(),
            4 => (Frame(0x01) with { Key = "k" }).ToRequest(),
            5 => Overlong((Frame(0x00) with { Key = "kk" }).ToRequest()),
            6 => Frame((byte)(_random.Next(2) == 0 ? 0x07 : 0x17)).ToRequest(),
            _ => null,
        };

    private BinaryFrame Some()
    {
        int kind = _random.Next(14);
        string key = Key();
        return kind switch
        {
            < 5 => Frame(0x00, 0x09, 0x0c, 0x0d) with { Key = key },
            < 8 => Frame(0x01, 0x02, 0x03, 0x11, 0x12, 0x13) with
            {
                Key = key,
                Extras = BinaryFrame.Number32((uint)_random.Next(3)) + BinaryFrame.Number32(Expiry()),
                Value = Value(),
                Cas = Token(),
            },
            8 => Frame(0x0e, 0x0f, 0x19, 0x1a) with { Key = key, Value = Value(), Cas = Token() },
            9 => Frame(0x04, 0x14) with { Key = key, Cas = Token() },
            10 => Frame(0x1c, 0x1d, 0x1e, 0x23, 0x24) with { Key = key, Extras = BinaryFrame.Number32(Expiry()) },
            11 => Frame(0x0a, 0x0b),
            12 when _random.Next(4) == 0 => Frame(0x08, 0x18) with
            {
                Extras = _random.Next(2) == 0 ? "" : BinaryFrame.Number32(0),
            },
            12 => Frame(0x10) with { Key = Pick("reset", "foo", "detail on", "detail off", "detail", "conns") },
            _ => Frame(0x1b, 0x20, 0x30, 0x7f, 0xff, 0x1f),
        };
    }

    private BinaryFrame Count()
    {
        string key = Key() + "n";
        if (_random.Next(4) == 0)
        {
            return Frame(0x01) with
            {
                Key = key,
                Extras = new string('\0', 8),
                Value = Pick("9", "10", "x", "", "18446744073709551615"),
            };
        }

        if (_random.Next(4) == 0)
        {
            return Frame(0x0c) with { Key = key };
        }

        return Frame(0x05, 0x06, 0x15, 0x16) with
        {
            Key = key,
            Cas = Token(),
            Extras =
                BinaryFrame.Number64((ulong)_random.Next(20))
                + BinaryFrame.Number64(ulong.MaxValue >> _random.Next(64))
                + BinaryFrame.Number32(_random.Next(2) == 0 ? uint.MaxValue : Expiry()),
        };
    }

    private BinaryFrame Frame(params ReadOnlySpan<int> opcodes) =>
        new() { Opcode = (byte)opcodes[_random.Next(opcodes.Length)], Opaque = ++_opaque };

    // The body is said to be shorter than the key.
    private static string Overlong(string request) => request[..8] + BinaryFrame.Number32(1) + request[12..];

    private ulong Token() =>
        _random.Next(6) switch
        {
            0 => LastToken,
            1 => 12345,
            _ => 0,
        };

    private uint Expiry() =>
        _random.Next(6) switch
        {
            0 => 100,
            1 => 2_592_001,
            _ => 0,
        };

    private string Key() => string.Create(CultureInfo.InvariantCulture, $"{seed}{Pick("\0", "b", "c")}");

    private string Value() => new((char)_random.Next(256), _random.Next(3) == 0 ? 300 : _random.Next(12));

    private string Pick(params ReadOnlySpan<string> all) => all[_random.Next(all.Length)];
}
