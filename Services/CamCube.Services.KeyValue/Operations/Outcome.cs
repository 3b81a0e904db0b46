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

    /// <summary>The same, of one that says which step of a batch failed.</summary>
    public const int StepLength = Length + sizeof(ushort);

    private const byte LessFlag = 0x80;
    private const byte SumFlag = 0x40;

    /// <summary>Of what was done: the sum of an Add; of others the bytes of the value that they made. Of a batch that
    /// was refused: the step that failed.</summary>
    public long Number { get; init; }

    /// <summary>It was done, and the answer had an old value, which is not remembered.</summary>
    public bool IsLess { get; init; }

    /// <summary>The number is a sum, and the answer.</summary>
    public bool IsSum { get; init; }

    /// <returns>How many bytes it has.</returns>
    public int WriteTo(Span<byte> bytes)
    {
        bytes[0] = (byte)Status;
        WriteUInt64LittleEndian(bytes[1..], Version);
        if (Number != 0)
        {
            WriteUInt16LittleEndian(bytes[Length..], (ushort)Number);
        }

        return Number != 0 ? StepLength : Length;
    }

    /// <summary>Of bytes of one of these lengths.</summary>
    public static Outcome ReadFrom(ReadOnlySpan<byte> bytes) =>
        new((KeyValueStatus)bytes[0], ReadUInt64LittleEndian(bytes[1..]))
        {
            Number = bytes.Length == StepLength ? ReadUInt16LittleEndian(bytes[Length..]) : 0,
        };

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
