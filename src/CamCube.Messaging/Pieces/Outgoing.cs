using System.Buffers;

namespace CamCube.Messaging.Pieces;

/// <summary>
/// A message that is being sent, or was sent and is kept for repair: a cursor, not packets. Pooled by
/// <see cref="Outbox{THeader}"/>.
/// </summary>
internal sealed class Outgoing<THeader>
    where THeader : unmanaged, IMessageHeader<THeader>
{
    private byte[]? _head;
    private int _headLength;
    private ReadOnlyMemory<byte> _tail;
    private PieceSet _repairs;
    private int _next;
    private int _granted;
    private THeader _header;

    public uint Sequence { get; private set; }

    public PieceShape Shape { get; private set; }

    /// <summary>Where the next piece goes: the first time to the message's destination, as a repair to whoever
    /// asked.</summary>
    public Destination To => _repairs.Count > 0 ? Asker : Destination;

    public Destination Destination { get; private set; }

    public Coordinate Asker { get; private set; }

    /// <summary>Links on shortest paths to <see cref="To"/>, in the view that the outbox last looked at.</summary>
    public LinkSet Hops { get; set; }

    /// <summary>When a piece last left, or a repair was asked for.</summary>
    public long LastUsedNanos { get; set; }

    public bool IsActive { get; set; }

    /// <summary>It has pieces left, and waits until the receiver grants them.</summary>
    public bool IsStalled { get; set; }

    /// <summary>Whether a piece may be sent now.</summary>
    public bool HasPieces => _repairs.Count > 0 || _next < _granted;

    /// <summary>All pieces were sent once.</summary>
    public bool IsSent => _next == Shape.Count;

    public ref readonly THeader Header => ref _header;

    public void Open(
        in THeader header,
        uint sequence,
        ReadOnlySpan<byte> head,
        ReadOnlyMemory<byte> tail,
        int pieceLength,
        int pushed,
        Destination to
    )
    {
        (_header, Sequence, Destination, _tail, _next) = (header, sequence, to, tail, 0);
        Shape = new PieceShape(head.Length + tail.Length, pieceLength);
        (_granted, IsStalled) = (Math.Min(pushed, Shape.Count), false);
        _headLength = head.Length;
        if (!head.IsEmpty)
        {
            _head = ArrayPool<byte>.Shared.Rent(head.Length);
            head.CopyTo(_head);
        }
    }

    /// <summary>The next piece to send: repairs first, they complete something.</summary>
    public int TakePiece() => _repairs.Count > 0 ? _repairs.TakeFirst() : _next++;

    /// <summary>The receiver lets pieces come, up to and with this one.</summary>
    public void Grant(int last) => _granted = Math.Max(_granted, Math.Min(last + 1, Shape.Count));

    /// <summary>Notes what a receiver misses; pieces that were never sent yet are coming anyway.</summary>
    public void Ask(Coordinate asker, int first, ReadOnlySpan<byte> bitmap)
    {
        if (!_repairs.IsReady)
        {
            _repairs = PieceSet.Rent(Shape.Count);
        }

        Asker = asker;
        int end = Math.Min(_next, first + (bitmap.Length * 8));
        for (int i = first; i < end; i++)
        {
            if ((bitmap[(i - first) >> 3] >> ((i - first) & 7) & 1) != 0)
            {
                _repairs.Add(i);
            }
        }
    }

    public void CopyTo(int piece, Span<byte> target) =>
        CopyContent(_head.AsSpan(0, _headLength), _tail.Span, Shape.OffsetOf(piece), target);

    public OwnedBytes CopyAll() => OwnedBytes.Join(_head.AsSpan(0, _headLength), _tail.Span);

    public void Close()
    {
        if (_head is not null)
        {
            ArrayPool<byte>.Shared.Return(_head);
            _head = null;
        }

        _tail = default;
        _headLength = 0;
        _repairs.Return();
    }

    /// <summary>Copies a stretch of head and tail taken together.</summary>
    public static void CopyContent(ReadOnlySpan<byte> head, ReadOnlySpan<byte> tail, int offset, Span<byte> target)
    {
        if (offset < head.Length)
        {
            int n = Math.Min(head.Length - offset, target.Length);
            head.Slice(offset, n).CopyTo(target);
            target = target[n..];
            offset += n;
        }

        if (!target.IsEmpty)
        {
            tail.Slice(offset - head.Length, target.Length).CopyTo(target);
        }
    }
}
