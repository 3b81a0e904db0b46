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

    /// <summary>Pieces that the sender may send.</summary>
    public int Granted { get; private set; }

    /// <summary>When that was last said.</summary>
    public long GrantedNanos { get; private set; }

    /// <summary>Pieces that may come and are not here.</summary>
    public int Open => Granted - _have.Count;

    /// <summary>Pieces that are not here.</summary>
    public int Remaining => Shape.Count - _have.Count;

    /// <summary>It waits for its turn: what may come is here.</summary>
    public bool IsWaiting => Open == 0 && Granted < Shape.Count;

    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, Shape.Length);

    /// <summary>Bytes of memory a message of this length takes while it arrives.</summary>
    public static long CostOf(int length) => BitOperations.RoundUpToPowerOf2((uint)Math.Max(length, 16)) + 512L;

    public void Begin(MessageId id, in THeader header, PieceShape shape, int pushed, long nowNanos)
    {
        (Granted, GrantedNanos) = (Math.Min(pushed, shape.Count), nowNanos);
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

    /// <summary>The sender is told that it may send so many pieces; or told so again.</summary>
    public void NoteGranted(int granted, long nowNanos)
    {
        if (granted > Granted || IsWaiting)
        {
            // Who waited is not late.
            (LastProgressNanos, LastActionNanos) = (nowNanos, nowNanos);
        }

        (Granted, GrantedNanos) = (granted, nowNanos);
    }

    /// <summary>The sender was asked for what is missing.</summary>
    public void NoteAsked(long nowNanos) => (LastActionNanos, Asked) = (nowNanos, Asked + 1);

    /// <summary>Writes a bitmap of what is missing. Returns its bytes, and where it begins.</summary>
    public int WriteMissing(Span<byte> bitmap, out int first)
    {
        first = _have.FirstAbsent(Shape.Count);
        int count = Math.Min(Granted - first, bitmap.Length * 8),
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
