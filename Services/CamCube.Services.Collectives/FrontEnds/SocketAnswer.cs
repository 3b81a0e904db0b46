using System.Text.Unicode;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Collectives.FrontEnds;

/// <summary>What a client is told: 256 bytes, as docs/collectives-socket.md has them.</summary>
/// <param name="Status">0: done; a <see cref="CollectiveStatus"/>; 16 and a <see cref="GroupStatus"/>; or
/// <see cref="Wrong"/>.</param>
/// <param name="Words">In one line; null: it is done.</param>
/// <param name="Rank">Of the member.</param>
/// <param name="Members">How many there are.</param>
internal readonly record struct SocketAnswer(byte Status, string? Words, int Rank, int Members)
{
    /// <summary>Bytes of each.</summary>
    public const int Bytes = 256;

    /// <summary>The message was none: the connection is closed.</summary>
    public const byte Wrong = 32;

    private const int Refused = 16;
    private const int AtWords = 16;

    /// <summary>What came of an operation.</summary>
    public static SocketAnswer Of(in CollectiveResult result) => new((byte)result.Status, result.Words, 0, 0);

    /// <summary>What came of opening.</summary>
    public static SocketAnswer Of(in GroupAnswer answer) =>
        answer.Group is { } group
            ? new SocketAnswer(0, null, group.Rank, group.Members.Count)
            : new SocketAnswer((byte)(Refused + (int)answer.Status), answer.Words, 0, 0);

    /// <summary>Writes it.</summary>
    public void Write(Span<byte> to)
    {
        to.Clear();
        to[0] = Status;
        WriteInt32LittleEndian(to[4..], Rank);
        WriteInt32LittleEndian(to[8..], Members);
        Utf8.FromUtf16(Words, to[AtWords..], out _, out int written);
        WriteUInt16LittleEndian(to[2..], (ushort)written);
    }
}
