using System.Text;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Collectives.FrontEnds;

/// <summary>A message of a client: 96 bytes, as docs/collectives-socket.md has them.</summary>
/// <param name="Kind">What is asked.</param>
/// <param name="Type">What the elements are.</param>
/// <param name="Operator">How two become one.</param>
/// <param name="Number">The root; of a group its weight.</param>
/// <param name="Members">How many ranks follow.</param>
/// <param name="Offset">Where the vector begins in the file.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="Name">The group's.</param>
internal readonly record struct SocketRequest(
    SocketKind Kind,
    ElementType Type,
    ReduceOperator Operator,
    int Number,
    int Members,
    long Offset,
    long Length,
    string Name
)
{
    /// <summary>Bytes of each.</summary>
    public const int Bytes = 96;

    // "CCL1".
    private const uint Mark = 0x314C4343;
    private const int AtName = 32;

    /// <summary>Whether it has a vector.</summary>
    public bool HasVector => Kind is >= SocketKind.AllReduce and <= SocketKind.AllGather;

    /// <summary>Reads it. False: it is none.</summary>
    public static bool TryRead(ReadOnlySpan<byte> from, out SocketRequest request)
    {
        request = default;
        ReadOnlySpan<byte> name = from[AtName..].TrimEnd((byte)0);
        if (ReadUInt32LittleEndian(from) != Mark || from[7] != 0 || !Enum.IsDefined((SocketKind)from[4]))
        {
            return false;
        }

        request = new SocketRequest(
            (SocketKind)from[4],
            (ElementType)from[5],
            (ReduceOperator)from[6],
            ReadInt32LittleEndian(from[8..]),
            ReadInt32LittleEndian(from[12..]),
            ReadInt64LittleEndian(from[16..]),
            ReadInt64LittleEndian(from[24..]),
            Encoding.UTF8.GetString(name)
        );
        return request.Members >= 0 && request.Offset >= 0 && request.Length >= 0;
    }
}
