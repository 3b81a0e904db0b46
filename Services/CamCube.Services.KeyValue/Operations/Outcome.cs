using CamCube.Services.KeyValue.Coding;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>What came of a request, as it is remembered and told again.</summary>
/// <param name="Status">Done, or why not.</param>
/// <param name="Version">The version that it made, or the one in its way.</param>
internal readonly record struct Outcome(KeyValueStatus Status, ulong Version)
{
    /// <summary>Bytes of a refusal's.</summary>
    public const int Length = 1 + sizeof(ulong);

    private const byte LessFlag = 0x80;
    private const byte SumFlag = 0x40;

    /// <summary>Of what was done: the sum of an Add; of others the bytes of the value that they made.</summary>
    public long Number { get; init; }

    /// <summary>It was done, and the answer had an old value, which is not remembered.</summary>
    public bool IsLess { get; init; }

    /// <summary>The number is a sum, and the answer.</summary>
    public bool IsSum { get; init; }

    public void WriteTo(Span<byte> bytes)
    {
        bytes[0] = (byte)Status;
        WriteUInt64LittleEndian(bytes[1..], Version);
    }

    /// <summary>Of bytes of that length.</summary>
    public static Outcome ReadFrom(ReadOnlySpan<byte> bytes) =>
        new((KeyValueStatus)bytes[0], ReadUInt64LittleEndian(bytes[1..]));

    /// <summary>All of it.</summary>
    public void Write(WireWriter writer)
    {
        writer.Byte((byte)((byte)Status | (IsLess ? LessFlag : 0) | (IsSum ? SumFlag : 0)));
        writer.ULong(Version);
        writer.ULong((ulong)Number);
    }

    /// <summary>Reads what <see cref="Write"/> wrote.</summary>
    public static Outcome Read(ref WireReader reader)
    {
        byte first = reader.Byte();
        return new Outcome((KeyValueStatus)(first & ~(LessFlag | SumFlag)), reader.ULong())
        {
            IsLess = (first & LessFlag) != 0,
            IsSum = (first & SumFlag) != 0,
            Number = (long)reader.ULong(),
        };
    }
}
