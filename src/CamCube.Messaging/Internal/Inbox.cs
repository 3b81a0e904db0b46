using System.Diagnostics.CodeAnalysis;

namespace CamCube.Messaging.Internal;

/// <summary>The half-arrived messages of a channel: bounded in bytes, in number, and per sender; forgotten after
/// silence.</summary>
internal sealed class Inbox<THeader>(MessageOptions options)
    where THeader : unmanaged, IMessageHeader<THeader>
{
    private const int Remembered = 512;
    private const int MostPooled = 64;
    private readonly Dictionary<MessageId, HalfArrived<THeader>> _byId = [];
    private readonly List<HalfArrived<THeader>> _inOrder = [];
    private readonly Stack<HalfArrived<THeader>> _free = new();
    private readonly RecentIds _whole = new(Remembered);
    private readonly long _gapNanos = (long)options.GapTime.TotalNanoseconds;
    private readonly long _tailNanos = (long)options.TailGapTime.TotalNanoseconds;
    private readonly long _expireNanos = (long)options.ExpireTime.TotalNanoseconds;

    public int Count => _inOrder.Count;

    /// <summary>Bytes in use.</summary>
    public long Bytes { get; private set; }

    public HalfArrived<THeader> this[int i] => _inOrder[i];

    public bool WasWhole(MessageId id) => _whole.Contains(id);

    public bool TryGet(MessageId id, [NotNullWhen(true)] out HalfArrived<THeader>? half) =>
        _byId.TryGetValue(id, out half);

    /// <summary>Null: a bound does not allow another.</summary>
    public HalfArrived<THeader>? Open(MessageId id, in THeader header, PieceShape shape, long nowNanos)
    {
        long cost = HalfArrived<THeader>.CostOf(shape.Length);
        if (Bytes + cost > options.AssemblyBytes || _inOrder.Count >= options.HalfArrived)
        {
            return null;
        }

        int ofSender = 0;
        foreach (HalfArrived<THeader> other in _inOrder)
        {
            ofSender += other.Id.Source == id.Source ? 1 : 0;
        }

        if (ofSender >= options.HalfArrivedPerSender)
        {
            return null;
        }

        HalfArrived<THeader> half = _free.TryPop(out HalfArrived<THeader>? pooled) ? pooled : new();
        half.Open(id, header, shape, nowNanos);
        Bytes += cost;
        _byId.Add(id, half);
        _inOrder.Add(half);
        return half;
    }

    /// <summary>Takes a message out. Its bytes stay readable until <see cref="Recycle"/>.</summary>
    public void Remove(HalfArrived<THeader> half, bool isWhole)
    {
        Bytes -= HalfArrived<THeader>.CostOf(half.Shape.Length);
        _byId.Remove(half.Id);
        _inOrder.Remove(half);
        if (isWhole)
        {
            _whole.Add(half.Id);
        }
    }

    public void Recycle(HalfArrived<THeader> half)
    {
        half.Close();
        if (_free.Count < MostPooled)
        {
            _free.Push(half);
        }
    }

    /// <summary>When to ask for what is missing.</summary>
    public long AskDue(HalfArrived<THeader> half) =>
        half.LastActionNanos + ((half.HasTail ? _tailNanos : _gapNanos) << Math.Min(half.Asked, 4));

    /// <summary>When to give up.</summary>
    public long ExpireDue(HalfArrived<THeader> half) => half.LastProgressNanos + _expireNanos;

    public void Clear()
    {
        foreach (HalfArrived<THeader> half in _inOrder)
        {
            half.Close();
        }

        _inOrder.Clear();
        _byId.Clear();
        Bytes = 0;
    }
}
