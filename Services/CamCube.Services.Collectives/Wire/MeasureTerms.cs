using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Collectives.Wire;

/// <summary>
/// What members measure together. As bytes, little-endian: number 8, operation 1, type 1, operator 1, zero 1, rounds 4,
/// least bytes 4, most bytes 4, ranks of the members in the cube 4 each (none: all servers, in the order of their
/// ranks).
/// </summary>
/// <param name="Number">The measurement's number, that of no other.</param>
/// <param name="Kind">The operation.</param>
/// <param name="Type">What the elements are.</param>
/// <param name="Operator">How two become one.</param>
/// <param name="Rounds">How often each size is done.</param>
/// <param name="LeastBytes">The first size.</param>
/// <param name="MostBytes">No size beyond.</param>
/// <param name="Members">Who takes part.</param>
internal sealed record MeasureTerms(
    ulong Number,
    OperationKind Kind,
    ElementType Type,
    ReduceOperator Operator,
    int Rounds,
    int LeastBytes,
    int MostBytes,
    Coordinate[] Members
)
{
    /// <summary>Most rounds.</summary>
    public const int MostRounds = 10_000;

    private const int AtKind = sizeof(ulong);
    private const int AtRounds = AtKind + 4;
    private const int AtLeast = AtRounds + sizeof(int);
    private const int AtMost = AtLeast + sizeof(int);
    private const int HeadLength = AtMost + sizeof(int);

    /// <summary>The name of its group.</summary>
    public string GroupName => $"bench/{Number:x16}";

    /// <summary>Writes them.</summary>
    public byte[] Write(TorusShape shape)
    {
        bool areAll = Members.SequenceEqual(Enumerable.Range(0, shape.Count).Select(shape.At));
        byte[] bytes = new byte[HeadLength + (areAll ? 0 : Members.Length * sizeof(int))];
        WriteUInt64LittleEndian(bytes, Number);
        (bytes[AtKind], bytes[AtKind + 1], bytes[AtKind + 2]) = ((byte)Kind, (byte)Type, (byte)Operator);
        WriteInt32LittleEndian(bytes.AsSpan(AtRounds), Rounds);
        WriteInt32LittleEndian(bytes.AsSpan(AtLeast), LeastBytes);
        WriteInt32LittleEndian(bytes.AsSpan(AtMost), MostBytes);
        for (int at = HeadLength; at < bytes.Length; at += sizeof(int))
        {
            WriteInt32LittleEndian(bytes.AsSpan(at), shape.RankOf(Members[(at - HeadLength) / sizeof(int)]));
        }

        return bytes;
    }

    /// <summary>Reads them. Null: they are none; whether they can be done is not looked at.</summary>
    public static MeasureTerms? TryRead(ReadOnlySpan<byte> from, TorusShape shape)
    {
        int ranks = (from.Length - HeadLength) / sizeof(int);
        if (
            from.Length < HeadLength
            || (from.Length - HeadLength) % sizeof(int) != 0
            || ranks > shape.Count
            || from[AtKind + 3] != 0
        )
        {
            return null;
        }

        var members = new Coordinate[ranks == 0 ? shape.Count : ranks];
        for (int i = 0; i < members.Length; i++)
        {
            int rank = ranks == 0 ? i : ReadInt32LittleEndian(from[(HeadLength + (i * sizeof(int)))..]);
            if ((uint)rank >= (uint)shape.Count)
            {
                return null;
            }

            members[i] = shape.At(rank);
        }

        return new MeasureTerms(
            ReadUInt64LittleEndian(from),
            (OperationKind)from[AtKind],
            (ElementType)from[AtKind + 1],
            (ReduceOperator)from[AtKind + 2],
            ReadInt32LittleEndian(from[AtRounds..]),
            ReadInt32LittleEndian(from[AtLeast..]),
            ReadInt32LittleEndian(from[AtMost..]),
            members
        );
    }
}
