using System.Buffers;
using System.Numerics;

namespace CamCube.Messaging.Pieces;

/// <summary>A message of which not all pieces are here. Pooled by <see cref="Inbox{THeader}"/>.</summary>
internal sealed class HalfMessage<THeader>
    where THeader : unmanaged, IMessageHeader<THeader>
{
    /// <summary>Pieces that one question for the missing ones can name.</summary>
    public const int AskWindow = 1_024;

    private PieceSet _have;
    private byte[]? _bytes;

    public MessageId Id { get; private set; }

    public THeader Header { get; private set; }

    public PieceShape Shape { get; private set; }

    public long LastProgressNanos { get; private set; }

    /// <summary>When a piece came or was asked for.</summary>
    public long LastActionNanos { get; private set; }

    /// <summary>Questions since the last new piece.</summary>
    public int Asked { get; private set; }

    public bool HasTail { get; private set; }

    public bool IsWhole => _have.Count == Shape.Count;

    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, Shape.Length);

    /// <summary>Bytes of memory a message of this length takes while it arrives.</summary>
    public static long CostOf(int length) => BitOperations.RoundUpToPowerOf2((uint)Math.Max(length, 16)) + 512L;

    public void Open(MessageId id, in THeader header, PieceShape shape, long nowNanos)
    {
        (Id, Header, Shape, LastProgressNanos, LastActionNanos) = (id, header, shape, nowNanos, nowNanos);
        (Asked, HasTail) = (0, false);
        _bytes = ArrayPool<byte>.Shared.Rent(shape.Length);
        _have = PieceSet.Rent(shape.Count);
    }

    /// <summary>False: this piece was here already. The piece fits the shape.</summary>
    public bool Add(int piece, ReadOnlySpan<byte> bytes, long nowNanos)
    {
        if (!_have.Add(piece))
        {
            return false;
        }

        bytes.CopyTo(_bytes.AsSpan(Shape.OffsetOf(piece)));
        (LastProgressNanos, LastActionNanos, Asked) = (nowNanos, nowNanos, 0);
        HasTail |= piece == Shape.Count - 1;
        return true;
    }

    /// <summary>The sender was asked for what is missing.</summary>
    public void NoteAsked(long nowNanos) => (LastActionNanos, Asked) = (nowNanos, Asked + 1);

    /// <summary>Writes a bitmap of what is missing. Returns its bytes, and where it begins.</summary>
    public int WriteMissing(Span<byte> bitmap, out int first)
    {
        first = _have.FirstAbsent(Shape.Count);
        int count = Math.Min(Shape.Count - first, bitmap.Length * 8),
            used = 0;
        bitmap.Clear();
        for (int i = 0; i < count; i++)
        {
            if (!_have.Contains(first + i))
            {
                bitmap[i >> 3] |= (byte)(1 << (i & 7));
                used = (i >> 3) + 1;
            }
        }

        return used;
    }

    /// <summary>Hands the bytes over to a new owner.</summary>
    public OwnedBytes TakeBytes()
    {
        var taken = new OwnedBytes(_bytes!, Shape.Length);
        _bytes = null;
        return taken;
    }

    public void Close()
    {
        if (_bytes is not null)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = null;
        }

        _have.Return();
    }
}
