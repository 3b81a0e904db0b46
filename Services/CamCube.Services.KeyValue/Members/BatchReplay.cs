using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// Entries of one group as records are found: a batch has several, and is an entry once all of them are. Nobody was
/// told of one of which some are missing: all of it is durable before that. Records may come twice, in their order.
/// </summary>
internal sealed class BatchReplay
{
    private readonly Dictionary<ulong, TailEntry?[]> _found = [];

    /// <summary>A record that is found.</summary>
    /// <param name="entry">It alone.</param>
    /// <returns>The entry that is whole with it; null: more is missing.</returns>
    public TailEntry? Join(TailEntry entry)
    {
        if (entry.Operation is not { Part: { Count: > 0 } part })
        {
            return entry;
        }

        if (
            !_found.TryGetValue(entry.Index, out TailEntry?[]? parts)
            || parts.Length != part.Count
            || Array.Exists(parts, p => p is not null && p.Entry.Ballot != entry.Entry.Ballot)
        )
        {
            _found[entry.Index] = parts = new TailEntry?[part.Count];
        }

        parts[part.Number] = entry;
        if (part.Number < part.Count - 1 || Array.Exists(parts, static p => p is null))
        {
            return null;
        }

        Operation batch = OperationParts.Join([.. parts.Select(static p => p!.Operation!)]);
        var whole = new TailEntry(entry.Index, entry.Entry, batch);
        for (int record = 0; record < parts.Length; record++)
        {
            whole.Locate(record, parts[record]!.Location);
        }

        return whole;
    }

    /// <summary>All up to an index is settled.</summary>
    public void Forget(ulong index)
    {
        foreach (ulong settled in _found.Keys.Where(i => i <= index).ToArray())
        {
            _found.Remove(settled);
        }
    }
}
