using System.Diagnostics.CodeAnalysis;

namespace CamCube.Messaging.Pieces;

/// <summary>The half-arrived messages of a channel: bounded in bytes, in number, and per sender; forgotten after
/// silence.</summary>
internal sealed class Inbox<THeader>(MessageOptions options)
    where THeader : unmanaged, IMessageHeader<THeader>
{
    private const int Remembered = 512;
    private const int MostPooled = 64;
    private readonly Dictionary<MessageId, HalfMessage<THeader>> _byId = [];
    private readonly List<HalfMessage<THeader>> _inOrder = [];
    private readonly Stack<HalfMessage<THeader>> _free = new();
    private readonly RecentIds _whole = new(Remembered);
    private readonly long _gapNanos = (long)options.GapTime.TotalNanoseconds;
    private readonly long _tailNanos = (long)options.TailGapTime.TotalNanoseconds;
    private readonly long _expireNanos = (long)options.ExpireTime.TotalNanoseconds;

    public int Count => _inOrder.Count;

    /// <summary>Bytes in use.</summary>
    public long Bytes { get; private set; }

    public HalfMessage<THeader> this[int i] => _inOrder[i];

    public bool WasWhole(MessageId id) => _whole.Contains(id);

    public bool TryGet(MessageId id, [NotNullWhen(true)] out HalfMessage<THeader>? half) =>
        _byId.TryGetValue(id, out half);

    /// <summary>Null: a bound does not allow another.</summary>
    public HalfMessage<THeader>? Open(MessageId id, in THeader header, PieceShape shape, long nowNanos)
    {
        long cost = HalfMessage<THeader>.CostOf(shape.Length);
        if (Bytes + cost > options.AssemblyBytes || _inOrder.Count >= options.HalfArrived)
        {
            return null;
        }

        int ofSender = 0;
        foreach (HalfMessage<THeader> other in _inOrder)
        {
            ofSender += other.Id.Source == id.Source ? 1 : 0;
        }

        if (ofSender >= options.HalfArrivedPerSender)
        {
            return null;
        }

        HalfMessage<THeader> half = _free.TryPop(out HalfMessage<THeader>? pooled) ? pooled : new();
        half.Begin(id, header, shape, options.PushedPieces, nowNanos);
        Bytes += cost;
        _byId.Add(id, half);
        _inOrder.Add(half);
        return half;
    }

    /// <summary>Takes a message out. Its bytes stay readable until <see cref="Recycle"/>.</summary>
    public void Remove(HalfMessage<THeader> half, bool isWhole)
    {
        Bytes -= HalfMessage<THeader>.CostOf(half.Shape.Length);
        _byId.Remove(half.Id);
        _inOrder.Remove(half);
        if (isWhole)
        {
            _whole.Add(half.Id);
        }
    }

    public void Recycle(HalfMessage<THeader> half)
    {
        half.Close();
        if (_free.Count < MostPooled)
        {
            _free.Push(half);
        }
    }

    /// <summary>When to ask for what is missing, or to say again what may come to who waits for its turn.</summary>
    public long AskDue(HalfMessage<THeader> half) =>
        half.IsWaiting
            ? half.GrantedNanos + (_expireNanos / 4)
            : half.LastActionNanos + ((half.HasTail ? _tailNanos : _gapNanos) << Math.Min(half.Asked, 4));

    /// <summary>When to give up.</summary>
    public long ExpireDue(HalfMessage<THeader> half) => half.LastProgressNanos + _expireNanos;

    public void Clear()
    {
        foreach (HalfMessage<THeader> half in _inOrder)
        {
            half.Close();
        }

        _inOrder.Clear();
        _byId.Clear();
        Bytes = 0;
    }
}
