using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>
/// Does what depends on values: reads the keys, works out what becomes of them, and puts that under the condition that
/// they still are as they were read; if others were faster, all over again. So it is as if it had been done at one
/// moment. Somebody always comes through: who has to try again does so because another has. Loop only.
/// </summary>
internal static class Transaction
{
    /// <summary>Does it.</summary>
    /// <param name="store">The store.</param>
    /// <param name="question">Whose; it has its limits.</param>
    /// <param name="keys">The keys, all of one group.</param>
    /// <param name="watched">Keys, among them, that have to be as they were.</param>
    /// <param name="work">Works out what becomes of the keys, and answers; perhaps several times. The last counts.
    /// Meanwhile others may have their turns: what they change is a conflict. False: there was no memory for all of it.
    /// </param>
    /// <returns>How it ended: only with Done does what was answered hold.</returns>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<TransactionEnd> RunAsync(
        IKeyValueStore store,
        RedisQuestion question,
        Keyspace keys,
        IReadOnlyList<WatchedKey> watched,
        Func<RedisQuestion, ValueTask<bool>> work
    )
    {
        for (int attempt = 0; attempt < question.Context.Options.MaxAttempts; attempt++)
        {
            question.ForgetValues();
            KeyValueStatus failure = await LoadAsync(store, question, keys);
            if (failure != KeyValueStatus.Done)
            {
                return new TransactionEnd(failure);
            }

            if (!AreAsWatched(keys, watched))
            {
                return TransactionEnd.Touched;
            }

            bool isWhole = await work(question);
            if (question.Reply.IsTooLong)
            {
                return TransactionEnd.TooLong;
            }

            if (!isWhole || !question.TryHoldMade(keys.MadeBytes) || !question.TryHoldAnswer())
            {
                return TransactionEnd.LacksMemory;
            }

            KeyValueStatus status = await CommitAsync(store, keys, watched.Count > 0, question);
            if (status != KeyValueStatus.Conflict)
            {
                return new TransactionEnd(status) { IsBatch = keys.Count > 1 };
            }

            question.Reply.Clear();
        }

        return TransactionEnd.Outrun;
    }

    private static async ValueTask<KeyValueStatus> LoadAsync(
        IKeyValueStore store,
        RedisQuestion question,
        Keyspace keys
    )
    {
        if (keys.Count == 1)
        {
            foreach (KeyEntry only in keys.Entries)
            {
                return await KeyLoader.LoadAsync(store, only, question);
            }
        }

        KeyValueStatus failure = KeyValueStatus.Done;
        foreach (
            ValueTask<KeyValueStatus> load in keys
                .Entries.Select(key => KeyLoader.LoadAsync(store, key, question))
                .ToList()
        )
        {
            KeyValueStatus status = await load;
            failure = status == KeyValueStatus.Done ? failure : status;
        }

        return failure;
    }

    private static bool AreAsWatched(Keyspace keys, IReadOnlyList<WatchedKey> watched)
    {
        foreach (WatchedKey key in watched)
        {
            if (keys[key.Key.ToKey()].Version != key.Version)
            {
                return false;
            }
        }

        return true;
    }

    private static ValueTask<KeyValueStatus> CommitAsync(
        IKeyValueStore store,
        Keyspace keys,
        bool areAllObserved,
        RedisQuestion question
    )
    {
        KeyEntry? changed = null;
        int changes = 0,
            observed = 0,
            foreign = 0;
        foreach (KeyEntry key in keys.Entries)
        {
            bool counts = areAllObserved || key.IsObserved;
            observed += counts ? 1 : 0;
            if (HasChange(key))
            {
                (changed, changes) = (key, changes + 1);
            }
            else
            {
                foreign += counts ? 1 : 0;
            }
        }

        // One key that was read was so at one moment.
        if (changes == 0 && observed <= 1)
        {
            return new ValueTask<KeyValueStatus>(KeyValueStatus.Done);
        }

        return changes == 1 && foreign == 0
            ? CommitOneAsync(store, changed!, areAllObserved, question)
            : CommitAllAsync(store, keys, areAllObserved);
    }

    private static async ValueTask<KeyValueStatus> CommitOneAsync(
        IKeyValueStore store,
        KeyEntry key,
        bool isObserved,
        RedisQuestion question
    )
    {
        KeyValueCondition condition = isObserved || key.IsObserved ? ConditionOf(key) : default;
        ValueTask<KeyValueAnswer> call = key.Outcome switch
        {
            KeyOutcome.Delete => store.DeleteAsync(key.Key, condition),
            KeyOutcome.Expire => store.ChangeAsync(
                key.Key,
                KeyValueChange.Expire(key.Left) with
                {
                    Condition = condition,
                }
            ),
            _ => store.PutAsync(key.Key, key.Made, PutOf(key, condition)),
        };
        KeyValueStatus status = (await call).Status;
        if (status == KeyValueStatus.TooLarge && key.Outcome == KeyOutcome.Expire)
        {
            return await PutAgainAsync(store, key, question);
        }

        return key.Outcome == KeyOutcome.Delete && status == KeyValueStatus.NotFound ? KeyValueStatus.Done : status;
    }

    // A value in pieces gets another time with its pieces: they belong to one change.
    private static async ValueTask<KeyValueStatus> PutAgainAsync(
        IKeyValueStore store,
        KeyEntry key,
        RedisQuestion question
    )
    {
        (ulong version, TimeSpan? left) = (key.Version, key.Left);
        key.NeedsValue = true;
        KeyValueStatus status = await KeyLoader.LoadAsync(store, key, question);
        if (status != KeyValueStatus.Done || key.Version != version)
        {
            return status == KeyValueStatus.Done ? KeyValueStatus.Conflict : status;
        }

        key.Change(key.Value);
        key.Expire(left);
        return (await store.PutAsync(key.Key, key.Made, PutOf(key, KeyValueCondition.Is(version)))).Status;
    }

    private static async ValueTask<KeyValueStatus> CommitAllAsync(
        IKeyValueStore store,
        Keyspace keys,
        bool areAllObserved
    )
    {
        var batch = new KeyValueBatch();
        foreach (KeyEntry key in keys.Entries)
        {
            bool counts = areAllObserved || key.IsObserved;
            KeyValueCondition condition = counts ? ConditionOf(key) : default;
            if (!HasChange(key))
            {
                batch = counts ? batch.If(key.Key, condition) : batch;
                continue;
            }

            batch = key.Outcome switch
            {
                KeyOutcome.Delete => batch.Delete(key.Key, condition),
                KeyOutcome.Expire => batch.Change(
                    key.Key,
                    KeyValueChange.Expire(key.Left) with
                    {
                        Condition = condition,
                    }
                ),
                _ => batch.Put(key.Key, key.Made, PutOf(key, condition)),
            };
        }

        return (await store.ApplyAsync(batch)).Status;
    }

    private static bool HasChange(KeyEntry key) =>
        key.Outcome == KeyOutcome.Delete ? key.Version != 0 || !key.IsObserved : key.Outcome != KeyOutcome.None;

    private static KeyValueCondition ConditionOf(KeyEntry key) =>
        key.Version == 0 ? KeyValueCondition.Absent : KeyValueCondition.Is(key.Version);

    private static KeyValuePut PutOf(KeyEntry key, KeyValueCondition condition) =>
        new()
        {
            Condition = condition,
            Expires = key.Left,
            Metadata = key.Metadata,
        };
}
