namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>Requests of the binary protocol on an empty cache and memcached 1.6.18's answers, byte for byte.</summary>
internal static class BinaryTranscripts
{
    private const int Get = 0x00,
        Set = 0x01,
        Add = 0x02,
        Replace = 0x03,
        Delete = 0x04,
        Increment = 0x05;
    private const int Decrement = 0x06,
        Quit = 0x07,
        Noop = 0x0a,
        GetK = 0x0c,
        GetKQ = 0x0d,
        Append = 0x0e;
    private const int SetQ = 0x11,
        DeleteQ = 0x14,
        IncrementQ = 0x15,
        QuitQ = 0x17,
        Touch = 0x1c,
        Gat = 0x1d,
        GatKQ = 0x24;
    private const ushort NotFound = 1,
        Exists = 2,
        Invalid = 4,
        NotStored = 5,
        NotANumber = 6,
        Unknown = 0x81;

    private static readonly string Flags5 = BinaryFrame.Number32(5) + BinaryFrame.Number32(0);

    public static (string Name, string Request, string Reply)[] All { get; } =
    [
        (
            "binary get of nothing",
            Ask(Get, "a") + Ask(GetK, "a") + Ask(GetKQ, "a") + Ask(Noop),
            Say(Get, NotFound, "Not found") + Say(GetK, NotFound, key: "a") + Say(Noop)
        ),
        (
            "binary set and get",
            Ask(Set, "a", Flags5, "abc") + Ask(Get, "a") + Ask(SetQ, "a", Flags5, "") + Ask(GetKQ, "a") + Ask(Get, "a"),
            Say(Set, cas: 1)
                + Say(Get, extras: BinaryFrame.Number32(5), value: "abc", cas: 1)
                + Say(GetKQ, extras: BinaryFrame.Number32(5), key: "a", cas: 2)
                + Say(Get, extras: BinaryFrame.Number32(5), cas: 2)
        ),
        (
            "binary conditions",
            Ask(Add, "a", Flags5, "x")
                + Ask(Add, "a", Flags5, "y")
                + Ask(Replace, "b", Flags5, "y")
                + Ask(Append, "b", value: "y")
                + Ask(Set, "a", Flags5, "y", cas: 9)
                + Ask(Set, "b", Flags5, "y", cas: 9)
                + Ask(Set, "a", Flags5, "y", cas: 1)
                + Ask(Append, "a", value: "z", cas: 1)
                + Ask(Append, "a", value: "z"),
            Say(Add, cas: 1)
                + Say(Add, Exists, "Data exists for key.")
                + Say(Replace, NotFound, "Not found")
                + Say(Append, NotStored, "Not stored.")
                + Say(Set, Exists, "Data exists for key.")
                + Say(Set, NotFound, "Not found")
                + Say(Set, cas: 2)
                + Say(Append, Exists, "Data exists for key.")
                + Say(Append, cas: 3)
        ),
        (
            "binary delete",
            Ask(Delete, "a")
                + Ask(Set, "a", Flags5, "x")
                + Ask(Delete, "a", cas: 9)
                + Ask(DeleteQ, "a", cas: 1)
                + Ask(DeleteQ, "a"),
            Say(Delete, NotFound, "Not found")
                + Say(Set, cas: 1)
                + Say(Delete, Exists, "Data exists for key.")
                + Say(DeleteQ, NotFound, "Not found")
        ),
        (
            "binary counting",
            Count(Increment, 1, 13, uint.MaxValue)
                + Count(Increment, 1, 13, 0)
                + Count(Increment, 2, 0, 0)
                + Count(IncrementQ, 2, 0, 0)
                + Count(Decrement, 100, 0, 0)
                + Ask(Set, "n", Flags5, "x")
                + Count(Increment, 1, 0, 0),
            Say(Increment, NotFound, "Not found")
                + Say(Increment, value: BinaryFrame.Number64(13), cas: 1)
                + Say(Increment, value: BinaryFrame.Number64(15), cas: 2)
                + Say(Decrement, value: BinaryFrame.Number64(0), cas: 4)
                + Say(Set, cas: 5)
                + Say(Increment, NotANumber, "Non-numeric server-side value for incr or decr")
        ),
        (
            "binary touch",
            Ask(Touch, "a", BinaryFrame.Number32(0))
                + Ask(Set, "a", Flags5, "x")
                + Ask(Touch, "a", BinaryFrame.Number32(9))
                + Ask(Gat, "a", BinaryFrame.Number32(0))
                + Ask(GatKQ, "b", BinaryFrame.Number32(0))
                + Ask(GatKQ, "a", BinaryFrame.Number32(2_592_001))
                + Ask(Get, "a"),
            Say(Touch, NotFound, "Not found")
                + Say(Set, cas: 1)
                + Say(Touch, extras: BinaryFrame.Number32(5), cas: 1)
                + Say(Gat, extras: BinaryFrame.Number32(5), value: "x", cas: 1)
                + Say(GatKQ, extras: BinaryFrame.Number32(5), key: "a", value: "x", cas: 1)
                + Say(Get, NotFound, "Not found")
        ),
        (
            "binary without an opcode",
            Ask(0x1b) + Ask(0x20) + Ask(0x21, "PLAIN", value: "abc") + Ask(0x30) + Ask(Noop),
            Say(0x1b, Unknown, "Unknown command")
                + Say(0x20, Unknown, "Unknown command")
                + Say(0x21, Unknown, "Unknown command")
                + Say(0x30, Unknown, "Unknown command")
                + Say(Noop)
        ),
        ("binary quit", Ask(Quit) + Ask(Noop), Say(Quit)),
        ("binary quiet quit", Ask(QuitQ) + Ask(Noop), ""),
        ("binary without its extras", Ask(Set, "a", value: "x") + Ask(Noop), Say(Set, Invalid, "Invalid arguments")),
        ("binary with a long key", Ask(Get, new string('k', 251)) + Ask(Noop), Say(Get, Invalid, "Invalid arguments")),
        (
            "binary with a body shorter than its key",
            Ask(Get, "kk")[..8] + BinaryFrame.Number32(1) + Ask(Get, "kk")[12..] + Ask(Noop),
            Say(Get, Unknown, "Unknown command")
        ),
        ("text in the middle of binary", Ask(Noop) + "version\r\n and more than a head has\r\n", Say(Noop)),
        (
            "binary in the middle of text", // A noop's opcode is a line end.
            "mn\r\n" + Ask(Noop) + "\r\nmn\r\n",
            "MN\r\nERROR\r\nERROR\r\nMN\r\n"
        ),
    ];

    private static string Ask(int opcode, string key = "", string extras = "", string value = "", ulong cas = 0) =>
        new BinaryFrame
        {
            Opcode = (byte)opcode,
            Key = key,
            Extras = extras,
            Value = value,
            Cas = cas,
            Opaque = 77,
        }.ToRequest();

    private static string Count(int opcode, ulong delta, ulong initial, uint expiry) =>
        Ask(opcode, "n", BinaryFrame.Number64(delta) + BinaryFrame.Number64(initial) + BinaryFrame.Number32(expiry));

    private static string Say(
        int opcode,
        ushort status = 0,
        string value = "",
        string key = "",
        string extras = "",
        ulong cas = 0
    )
    {
        string request = new BinaryFrame
        {
            Opcode = (byte)opcode,
            Key = key,
            Extras = extras,
            Value = value,
            Cas = cas,
            Opaque = 77,
        }.ToRequest();
        return "\u0081" + request[1..6] + (char)(status >> 8) + (char)(status & 0xff) + request[8..];
    }
}
