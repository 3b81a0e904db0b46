using System.Buffers.Binary;
using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests.Fuzz;

/// <summary>
/// Commands of all three protocols with every length and number drawn over all that it may be, and beyond. Most of each
/// command is right, so that it gets far.
/// </summary>
/// <param name="random">What draws.</param>
internal sealed class DrawnInput(Random random)
{
    private static readonly int[] Lengths =
    [
        0,
        1,
        2,
        3,
        20,
        31,
        32,
        33,
        247,
        248,
        249,
        250,
        251,
        252,
        255,
        256,
        257,
        1_023,
        2_047,
        2_048,
        2_049,
    ];

    private static readonly string[] Numbers =
    [
        "0",
        "1",
        "-1",
        "00",
        "007",
        "+5",
        "1e3",
        "0x10",
        "",
        "5 ",
        "x",
        "255",
        "256",
        "65535",
        "65536",
        "1048576",
        "1048577",
        "2592000",
        "2592001",
        "2147483645",
        "2147483646",
        "2147483647",
        "2147483648",
        "-2147483648",
        "-2147483649",
        "4294967294",
        "4294967295",
        "4294967296",
        "4294967297",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551614",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999999999999999999999999",
    ];

    private static readonly string[] Verbs =
    [
        "get",
        "gets",
        "gat",
        "gats",
        "set",
        "add",
        "replace",
        "append",
        "prepend",
        "cas",
        "incr",
        "decr",
        "delete",
        "touch",
        "flush_all",
        "stats",
        "version",
        "verbosity",
        "cache_memlimit",
        "slabs",
        "lru",
        "lru_crawler",
        "watch",
        "shutdown",
        "refresh_certs",
        "me",
        "mg",
        "ms",
        "md",
        "ma",
        "mn",
        "extstore",
        "quit",
    ];

    private static readonly string[] Statistics =
    [
        "",
        "items",
        "slabs",
        "sizes",
        "settings",
        "conns",
        "detail on",
        "detail dump",
        "cachedump 1 1",
        "server",
        "reset",
        "sizes_enable",
    ];

    private static readonly uint[] Words =
    [
        0,
        1,
        2,
        24,
        250,
        251,
        1 << 20,
        (1 << 20) + 1,
        0x7FFFFFEF,
        0x7FFFFFFF,
        0x80000000,
        0x80000001,
        0xFFFFFFE8,
        0xFFFFFFFF,
    ];

    /// <summary>So many commands of one connection, which begin with its protocol.</summary>
    public byte[] Draw(int commands)
    {
        using var bytes = new MemoryStream();
        bool isBinary = random.Next(3) == 0;
        for (int i = 0; i < commands; i++)
        {
            byte[] one = isBinary ? Binary() : Encoding.Latin1.GetBytes(random.Next(2) == 0 ? Text() : Meta());
            if (one.Length > 0 && random.Next(12) == 0)
            {
                one[random.Next(one.Length)] = (byte)random.Next(256);
            }

            bytes.Write(one, 0, random.Next(40) == 0 ? random.Next(one.Length + 1) : one.Length);
        }

        return bytes.ToArray();
    }

    private string Text()
    {
        string verb = Verbs[random.Next(Verbs.Length)];
        string line = verb switch
        {
            "get" or "gets" => $"{verb} {string.Join(' ', Enumerable.Range(0, random.Next(1, 5)).Select(_ => Key()))}",
            "gat" or "gats" => $"{verb} {Number()} {Key()} {Key()}",
            "set" or "add" or "replace" or "append" or "prepend" or "cas" => Store(verb),
            "incr" or "decr" or "touch" => $"{verb} {Key()} {Number()}{NoReply()}",
            "delete" => $"{verb} {Key()}{(random.Next(3) == 0 ? " " + Number() : "")}{NoReply()}",
            "stats" => $"{verb} {Statistics[random.Next(Statistics.Length)]}",
            "quit" => random.Next(30) == 0 ? "quit" : "version",
            _ => $"{verb} {Number()} {Number()}{NoReply()}",
        };
        return line + LineEnd();
    }

    private string Store(string verb)
    {
        string value = Some(Length(), 'v');
        string length = random.Next(8) == 0 ? Number() : $"{value.Length}";
        string token = verb == "cas" ? " " + Number() : "";
        string numbers = random.Next(3) == 0 ? $"{Number()} {Number()}" : "7 0";
        return $"{verb} {Key()} {numbers} {length}{token}{NoReply()}\r\n{value}";
    }

    private string Meta()
    {
        string verb = random.Next(7) switch
        {
            0 => "mg",
            1 => "md",
            2 => "ma",
            3 => "mn",
            4 => "me",
            _ => "ms",
        };
        string flags = string.Concat(
            Enumerable.Range(0, random.Next(7)).Select(_ => $" {(char)random.Next('A', 'z' + 1)}{FlagToken()}")
        );
        if (verb != "ms")
        {
            return $"{verb} {MetaKey()}{flags}{LineEnd()}";
        }

        string value = Some(Length(), 'v');
        return $"ms {MetaKey()} {(random.Next(8) == 0 ? Number() : $"{value.Length}")}{flags}\r\n{value}{LineEnd()}";
    }

    private string FlagToken() =>
        random.Next(5) switch
        {
            0 => Number(),
            1 => Some(random.Next(40), 'o'),
            2 => Some(Length(), 'o'),
            _ => "",
        };

    private string MetaKey()
    {
        if (random.Next(3) > 0)
        {
            return Key();
        }

        var bytes = new byte[Length()];
        random.NextBytes(bytes);
        string text = Convert.ToBase64String(bytes);
        return (random.Next(3) == 0 ? text.TrimEnd('=') : text) + " b";
    }

    private byte[] Binary()
    {
        int keyLength = random.Next(4) == 0 ? Length() : random.Next(1, 20),
            extrasLength = ExtrasLength(),
            valueLength = random.Next(4) == 0 ? Length() : random.Next(9);
        byte opcode = (byte)(random.Next(10) == 0 ? random.Next(256) : random.Next(0x25));
        var frame = new byte[24 + extrasLength + keyLength + valueLength];
        Span<byte> body = frame.AsSpan(24);
        random.NextBytes(body);
        if (random.Next(3) == 0)
        {
            body[..extrasLength].Clear();
        }

        body.Slice(extrasLength, keyLength).Fill((byte)'k');
        frame[0] = 0x80;
        frame[1] = opcode;
        BinaryPrimitives.WriteUInt16BigEndian(
            frame.AsSpan(2),
            (ushort)(random.Next(15) == 0 ? random.Next(65_536) : keyLength)
        );
        frame[4] = (byte)(random.Next(20) == 0 ? random.Next(256) : extrasLength);
        frame[5] = (byte)(random.Next(20) == 0 ? random.Next(256) : 0);
        BinaryPrimitives.WriteUInt16BigEndian(
            frame.AsSpan(6),
            (ushort)(random.Next(20) == 0 ? random.Next(65_536) : 0)
        );
        BinaryPrimitives.WriteUInt32BigEndian(
            frame.AsSpan(8),
            random.Next(15) == 0 ? Words[random.Next(Words.Length)] : (uint)body.Length
        );
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(12), (uint)random.NextInt64());
        if (random.Next(4) == 0)
        {
            BinaryPrimitives.WriteInt64BigEndian(
                frame.AsSpan(16),
                random.Next(3) == 0 ? random.NextInt64() : random.Next(5)
            );
        }

        return frame;
    }

    private int ExtrasLength() =>
        random.Next(6) switch
        {
            0 => 0,
            1 => 4,
            2 => 8,
            3 => 20,
            4 => random.Next(30),
            _ => random.Next(256),
        };

    // Few names, so that commands meet items.
    private string Key() => random.Next(3) > 0 ? $"{(char)random.Next('a', 'f')}" : Some(Length(), 'k');

    private int Length() => random.Next(3) == 0 ? Lengths[random.Next(Lengths.Length)] : random.Next(300);

    private string Number() =>
        random.Next(4) == 0
            ? $"{random.NextInt64(long.MinValue, long.MaxValue)}"
            : Numbers[random.Next(Numbers.Length)];

    private string NoReply() => random.Next(4) == 0 ? " noreply" : "";

    private string LineEnd() =>
        random.Next(20) switch
        {
            0 => "\n",
            1 => "\r",
            2 => " \r\n",
            _ => "\r\n",
        };

    private static string Some(int length, char letter) => new(letter, length);
}
