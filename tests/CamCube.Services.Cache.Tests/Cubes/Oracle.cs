using System.Buffers.Binary;

namespace CamCube.Services.Cache.Tests.Cubes;

/// <summary>
/// What may be read: a value is wrong if it was never set for its key, or if a change of the key that began after the
/// value's set had ended was acknowledged before the read began. A set that failed has ended too: a root never does an
/// abandoned attempt later.
/// </summary>
internal sealed class Oracle
{
    private readonly Dictionary<string, List<Change>> _changes = [];
    private readonly Dictionary<ulong, Change> _byId = [];
    private ulong _lastId;

    /// <summary>Reads that gave a value.</summary>
    public long Hits { get; private set; }

    /// <summary>A new value; its first 8 bytes name it.</summary>
    public Change Begin(string key, int length, bool isDelete, long now)
    {
        var change = new Change(++_lastId, key, length, isDelete, now);
        _byId.Add(change.Id, change);
        if (!_changes.TryGetValue(key, out List<Change>? list))
        {
            _changes[key] = list = [];
        }

        list.Add(change);
        return change;
    }

    public static void End(Change change, bool isAcknowledged, long now) =>
        (change.Ended, change.IsAcknowledged) = (now, isAcknowledged);

    public static byte[] ValueOf(ulong id, int length)
    {
        byte[] value = new byte[length];
        new Random((int)id).NextBytes(value);
        BinaryPrimitives.WriteUInt64LittleEndian(value, id);
        return value;
    }

    public void Check(string key, ReadOnlySpan<byte> value, long readBegan)
    {
        Hits++;
        Assert.True(value.Length >= 8, $"{key}: a value of {value.Length} bytes was never set");
        ulong id = BinaryPrimitives.ReadUInt64LittleEndian(value);
        Assert.True(
            _byId.TryGetValue(id, out Change? set) && set.Key == key && !set.IsDelete,
            $"{key}: value {id} was never set for it"
        );
        Assert.True(value.SequenceEqual(ValueOf(id, set.Length)), $"{key}: value {id} is damaged");
        List<Change> list = _changes[key];
        for (int i = list.Count - 1; i >= 0; i--)
        {
            Change later = list[i];
            bool isOlder = later.IsAcknowledged && later.Began > set.Ended && later.Ended < readBegan;
            Assert.False(isOlder, $"{key}: read at {readBegan} gave {set}, but {later} was acknowledged");
        }
    }

    /// <summary>Forgets what no read can give any more, to keep long runs fast.</summary>
    public void Trim(string key, long now)
    {
        List<Change> list = _changes[key];
        if (list.Count < 200)
        {
            return;
        }

        // Everything that ended before the last acknowledged change of long ago began is older than that one for every
        // later read.
        Change? last = list.FindLast(c => c.IsAcknowledged && c.Ended < now - 10_000_000_000);
        if (last is not null)
        {
            list.RemoveAll(c => c != last && c.Ended < last.Began);
        }
    }

    public sealed class Change(ulong id, string key, int length, bool isDelete, long began)
    {
        public ulong Id => id;

        public string Key => key;

        public int Length => length;

        public bool IsDelete => isDelete;

        public long Began => began;

        public long Ended { get; set; } = long.MaxValue;

        public bool IsAcknowledged { get; set; }

        public override string ToString() => $"{(isDelete ? "delete" : "set")} {id} ({began} to {Ended})";
    }
}
