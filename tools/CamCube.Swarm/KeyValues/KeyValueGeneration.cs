using System.Text;
using CamCube.Histories;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Swarm.KeyValues;

/// <summary>A group that has gone on by hand, with what one of its stores had.</summary>
/// <param name="Group">The group.</param>
/// <param name="Number">Its generation from then on.</param>
/// <param name="Index">The end of what there was.</param>
/// <param name="Chain">All of it, and what came later.</param>
/// <param name="DecidedNanos">When it was decided, at the earliest.</param>
/// <param name="BegunNanos">When it was so.</param>
internal sealed record KeyValueGeneration(
    GroupId Group,
    uint Number,
    ulong Index,
    GroupChain Chain,
    long DecidedNanos,
    long BegunNanos
)
{
    /// <summary>What that was for the clients of some keys: what the others had is lost.</summary>
    /// <param name="keys">Keys of this group.</param>
    public IEnumerable<HistoryOperation> Losses(IEnumerable<string> keys)
    {
        Dictionary<string, (Operation Change, ulong Index, ulong Version)> left = Chain
            .LastChanges(Index)
            .ToDictionary(static last => Encoding.UTF8.GetString(last.Change.Key));
        foreach (string key in keys)
        {
            bool isThere = left.TryGetValue(key, out var last) && !last.Change.IsDelete;
            yield return new HistoryOperation
            {
                Client = -1,
                Key = key,
                Kind = HistoryKind.Loss,
                Answer = HistoryAnswer.Done,
                Value = isThere ? ValueOf(last.Change) : null,
                Kept = isThere ? last.Version : 0,
                Version = (ulong)Number << 40,
                Begin = DecidedNanos,
                End = BegunNanos,
            };
        }
    }

    private static string ValueOf(Operation change) =>
        change.Kind == OperationKind.Add
            ? Encoding.UTF8.GetString(change.Value)
            : KeyValueHistory.NameOf(KeyValueHistory.NumberIn(change.Metadata));
}
