using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Collectives.Wire;

/// <summary>What stands in front of an operation's bytes on an edge: 24 bytes, the same at all members.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="Type">What the elements are.</param>
/// <param name="Operator">How two become one.</param>
/// <param name="Number">Operations of the group before it.</param>
/// <param name="Root">The rank of who gets it, or has it.</param>
/// <param name="Length">Bytes of the whole vector.</param>
/// <param name="Function">Of a function of a service's own a hash of its name and its elements' bytes, and then there
/// is no type and no operator; else 0.</param>
internal readonly record struct OperationHead(
    OperationKind Kind,
    ElementType Type,
    ReduceOperator Operator,
    ulong Number,
    int Root,
    int Length,
    uint Function = 0
)
{
    public const int Bytes = 24;

    private const byte Format = 1;

    /// <summary>The number in a head.</summary>
    public static ulong NumberIn(ReadOnlySpan<byte> head) => ReadUInt64LittleEndian(head[8..]);

    public void Write(Span<byte> to)
    {
        to[..Bytes].Clear();
        to[0] = Format;
        to[1] = (byte)Kind;
        to[2] = (byte)Type;
        to[3] = (byte)Operator;
        WriteInt32LittleEndian(to[4..], Root);
        WriteUInt64LittleEndian(to[8..], Number);
        WriteInt32LittleEndian(to[16..], Length);
        WriteUInt32LittleEndian(to[20..], Function);
    }
}
