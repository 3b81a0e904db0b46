using System.Globalization;
using System.Text;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>
/// Counts of commands by the part of the key before the first delimiter, while <c>stats detail</c> is on; keys without
/// one are not counted. Of one server's front end. Any thread.
/// </summary>
/// <param name="delimiter">What ends a prefix.</param>
/// <param name="isOn">Whether it counts from the start.</param>
internal sealed class PrefixCounters(char delimiter, bool isOn)
{
    // memcached has no limit; a client that makes up prefixes would then take all memory.
    private const int MaxPrefixes = 10_000;

    private readonly Lock _lock = new();
    private readonly Dictionary<string, Counts> _byPrefix = new(StringComparer.Ordinal);
    private readonly List<Counts> _all = [];
    private volatile bool _isOn = isOn;

    /// <summary>Whether commands are counted.</summary>
    public bool IsOn => _isOn;

    /// <summary>
    /// Sees a command when it is answered, so in the client's order: turns the counting on or off, or counts the
    /// command if it is of a kind that memcached counts.
    /// </summary>
    public void Observe(CommandSlot slot, in CacheReply reply)
    {
        if (slot.Group is StatisticsGroup.DetailOn or StatisticsGroup.DetailOff)
        {
            _isOn = slot.Group == StatisticsGroup.DetailOn;
        }
        else if (_isOn)
        {
            Record(slot, reply);
        }
    }

    /// <summary>Forgets all counts.</summary>
    public void Reset()
    {
        lock (_lock)
        {
            _byPrefix.Clear();
            _all.Clear();
        }
    }

    /// <summary>memcached's lines, one for each prefix in the order of their appearance, and END.</summary>
    public string Dump()
    {
        var lines = new StringBuilder();
        lock (_lock)
        {
            foreach (Counts counts in _all)
            {
                lines.Append(
                    CultureInfo.InvariantCulture,
                    $"PREFIX {counts.Prefix} get {counts.Gets} hit {counts.Hits} set {counts.Sets}"
                );
                lines.Append(CultureInfo.InvariantCulture, $" del {counts.Deletes}\r\n");
            }
        }

        return lines.Append("END\r\n").ToString();
    }

    private void Record(CommandSlot slot, in CacheReply reply)
    {
        bool isRead = slot.Answer == SlotAnswer.Value || slot.Binary.Opcode == BinaryOpcode.Touch;
        if (slot.Work != SlotWork.Cache || (!isRead && slot.Answer is not (SlotAnswer.Stored or SlotAnswer.Deleted)))
        {
            return;
        }

        int length = slot.Key.IndexOf((byte)delimiter);
        if (length < 0)
        {
            return;
        }

        Span<char> prefix = stackalloc char[length];
        Encoding.Latin1.GetChars(slot.Key[..length], prefix);
        lock (_lock)
        {
            if (Find(prefix) is not { } counts)
            {
                return;
            }

            counts.Gets += isRead ? 1 : 0;
            counts.Hits += isRead && reply.Status == CacheStatus.Done ? 1 : 0;
            counts.Sets += slot.Answer == SlotAnswer.Stored ? 1 : 0;
            counts.Deletes += slot.Answer == SlotAnswer.Deleted ? 1 : 0;
        }
    }

    private Counts? Find(ReadOnlySpan<char> prefix)
    {
        var lookup = _byPrefix.GetAlternateLookup<ReadOnlySpan<char>>();
        if (lookup.TryGetValue(prefix, out Counts? counts) || _all.Count == MaxPrefixes)
        {
            return counts;
        }

        counts = new Counts(prefix.ToString());
        _byPrefix.Add(counts.Prefix, counts);
        _all.Add(counts);
        return counts;
    }

    private sealed class Counts(string prefix)
    {
        public string Prefix { get; } = prefix;

        public long Gets { get; set; }

        public long Hits { get; set; }

        public long Sets { get; set; }

        public long Deletes { get; set; }
    }
}
