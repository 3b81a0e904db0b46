using System.Buffers.Binary;
using CamCube.Simulator.Checkers;

namespace CamCube.Swarm.Histories;

/// <summary>
/// What a read of the cache may give (docs/cache.md, guarantee 1): a value is wrong if it was never set for its key, or
/// if a change of the key that began after the value's set had ended was acknowledged before the read began. A set that
/// failed has ended too: a root never does an abandoned attempt later. Which of two changes at the same time came last
/// is not judged.
/// </summary>
public sealed class CacheOracle() : Checker("cache-reads")
{
    private const long ForgetNanos = 10_000_000_000;
    private readonly Dictionary<string, List<CacheChange>> _changes = [];
    private readonly Dictionary<ulong, CacheChange> _byId = [];
    private ulong _lastId;

    /// <summary>Values that were too old, at times when the promise did not hold.</summary>
    public long Excused { get; private set; }

    /// <summary>A change begins. A new value's first 8 bytes name it.</summary>
    public CacheChange Begin(string key, int length, bool isDelete, long nanos)
    {
        var change = new CacheChange(++_lastId, key, length, isDelete, nanos);
        _byId.Add(change.Id, change);
        if (!_changes.TryGetValue(key, out List<CacheChange>? list))
        {
            _changes[key] = list = [];
        }

        list.Add(change);
        return change;
    }

    /// <summary>The bytes of a value.</summary>
    public static byte[] ValueOf(ulong id, int length)
    {
        byte[] value = new byte[length];
        new Random((int)id).NextBytes(value);
        BinaryPrimitives.WriteUInt64LittleEndian(value, id);
        return value;
    }

    /// <summary>Judges what a read gave.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">What it gave.</param>
    /// <param name="beganNanos">When it began.</param>
    /// <param name="client">For messages: through which server.</param>
    /// <param name="isExcused">Whether the promise did not hold since a time: asked only for a value that is too
    /// old.</param>
    public void Check(
        string key,
        ReadOnlySpan<byte> value,
        long beganNanos,
        Func<string> client,
        Func<long, bool> isExcused
    )
    {
        Checks++;
        ulong id = value.Length < 8 ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(value);
        if (
            !_byId.TryGetValue(id, out CacheChange? set)
            || set.Key != key
            || set.IsDelete
            || !value.SequenceEqual(ValueOf(id, set.Length))
        )
        {
            Fail(
                beganNanos,
                $"{key} read through {client()}: value {id:x} of {value.Length} bytes is damaged, "
                    + $"or was never set for it."
            );
            return;
        }

        CacheChange? newer = _changes[key]
            .FindLast(c => c.IsAcknowledged && c.Began > set.Ended && c.Ended < beganNanos);
        if (newer is not null && isExcused(newer.Began))
        {
            Excused++;
        }
        else if (newer is not null)
        {
            Fail(
                beganNanos,
                $"{key} read through {client()}: gave the {set}, but the {newer} was acknowledged before the read "
                    + $"began."
            );
        }
    }

    /// <summary>Forgets what no read can give any more: what ended before an acknowledged change of long ago
    /// began.</summary>
    public void Trim(string key, long nanos)
    {
        List<CacheChange> list = _changes[key];
        if (list.Count < 200)
        {
            return;
        }

        CacheChange? last = list.FindLast(c => c.IsAcknowledged && c.Ended < nanos - ForgetNanos);
        if (last is not null)
        {
            list.RemoveAll(c => c != last && c.Ended < last.Began);
        }
    }
}
