using CamCube.Calls;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Swarm.KeyValues;

/// <summary>What was committed at one index of a group.</summary>
/// <param name="Entry">The entry.</param>
/// <param name="Operation">What it does; null: nothing that a client asked for.</param>
internal readonly record struct ChainEntry(GroupEntry Entry, Operation? Operation)
{
    /// <summary>The version that a change at an index has.</summary>
    public ulong VersionAt(ulong index) => ((ulong)Entry.Ballot.Generation << 40) | index;
}

/// <summary>All that was committed in one generation of a group, with what that had when it began.</summary>
internal sealed class GroupChain
{
    private readonly Dictionary<ulong, ChainEntry> _log = [];

    /// <summary>Who led, by the ballot.</summary>
    public Dictionary<Ballot, StoreId> Leaders { get; } = [];

    /// <summary>Where each request was committed.</summary>
    public Dictionary<RequestId, ulong> Requests { get; } = [];

    /// <summary>The epoch that began it by hand; null: it is the first.</summary>
    public GroupEpoch? First { get; private set; }

    /// <summary>The last index of what it had then.</summary>
    public ulong From { get; private set; }

    /// <summary>The last index.</summary>
    public ulong Count { get; private set; }

    /// <summary>What was committed there; null: nothing yet, or nobody saw it.</summary>
    public ChainEntry? At(ulong index) => _log.TryGetValue(index, out ChainEntry found) ? found : null;

    /// <summary>Something was committed.</summary>
    /// <returns>False: its request was already.</returns>
    public bool Add(ulong index, in GroupEntry entry, Operation? operation)
    {
        (_log[index], Count) = (new ChainEntry(entry, operation), Math.Max(Count, index));
        return operation is null || Requests.TryAdd(operation.Request, index);
    }

    /// <summary>It goes on behind an index in an epoch that somebody decided by hand.</summary>
    public void Begin(ulong from, GroupEpoch first) => (From, First, Count) = (from, first, from);

    /// <summary>Of each key the last change up to an index.</summary>
    public IEnumerable<(Operation Change, ulong Index, ulong Version)> LastChanges(ulong upTo)
    {
        var last = new Dictionary<string, (Operation Change, ulong Index, ulong Version)>();
        for (ulong index = 1; index <= Math.Min(upTo, Count); index++)
        {
            if (At(index) is not { Operation: { IsChange: true } operation } entry)
            {
                continue;
            }

            foreach (Operation part in PartsOf(operation))
            {
                last[KeyRoute.TextOf(part.Key)] = (part, index, entry.VersionAt(index));
            }
        }

        return last.Values;
    }

    /// <summary>What an operation does with each of its keys.</summary>
    public static Operation[] PartsOf(Operation operation) => operation.Parts ?? [operation];
}
