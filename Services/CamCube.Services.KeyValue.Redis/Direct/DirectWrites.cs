using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Direct;

/// <summary>Changes that are one operation of the store for each key, worked out where the key is: nothing comes
/// between, and nobody tries again. Loop only; the rest of a call runs on the loop by its builder.</summary>
internal static class DirectWrites
{
    private const int AtOnce = 64;

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> SetAsync(IKeyValueStore store, RedisQuestion question)
    {
        SetTerms terms = default;
        if (question.Arguments.Count > 3 && !SetTerms.TryRead(question.Call, out terms, out string error))
        {
            question.Reply.Error(error);
            return true;
        }

        if (terms.Gets || terms.KeepsTime || terms.IsPast)
        {
            return false;
        }

        KeyValueAnswer answer = await store.PutAsync(
            question.KeyAt(1),
            question.Arguments.MemoryOf(2),
            new KeyValuePut
            {
                Condition =
                    terms.OnlyIfAbsent ? KeyValueCondition.Absent
                    : terms.OnlyIfPresent ? KeyValueCondition.Present
                    : default,
                Expires = terms.Expires,
            }
        );
        if (answer.Status == KeyValueStatus.Conflict)
        {
            question.Reply.Null();
        }
        else if (IsDone(question.Reply, answer.Status))
        {
            question.Reply.Ok();
        }

        return true;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> SetIfAbsentAsync(IKeyValueStore store, RedisQuestion question)
    {
        var put = new KeyValuePut { Condition = KeyValueCondition.Absent };
        KeyValueAnswer answer = await store.PutAsync(question.KeyAt(1), question.Arguments.MemoryOf(2), put);
        if (answer.Status == KeyValueStatus.Conflict || IsDone(question.Reply, answer.Status))
        {
            question.Reply.Integer(answer.Status == KeyValueStatus.Done ? 1 : 0);
        }

        return true;
    }

    /// <summary>SETEX and PSETEX.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> SetForAsync(IKeyValueStore store, RedisQuestion question)
    {
        bool isMillis = question.Command.Name == "psetex";
        if (!question.Call.TryInteger(2, out long time))
        {
            return true;
        }

        long now = question.Call.NowMillis;
        if (time <= 0 || !ExpiryTime.TryFrom(time, isMillis, isAt: false, now, out TimeSpan left, out _))
        {
            question.Reply.Error(Errors.Expiry(question.Command.Name));
            return true;
        }

        var put = new KeyValuePut { Expires = left };
        KeyValueAnswer answer = await store.PutAsync(question.KeyAt(1), question.Arguments.MemoryOf(3), put);
        if (IsDone(question.Reply, answer.Status))
        {
            question.Reply.Ok();
        }

        return true;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> GetSetAsync(IKeyValueStore store, RedisQuestion question)
    {
        ReadOnlyMemory<byte> value = question.Arguments.MemoryOf(2);
        if (value.Length > KeyValueChange.MostBytes)
        {
            return false;
        }

        // The old value's answer says nothing of whether there was one.
        KeyValueAnswer answer = await store.ChangeAsync(
            question.KeyAt(1),
            KeyValueChange.Exchange(value) with
            {
                Condition = KeyValueCondition.Present,
            },
            question.Value
        );
        if (answer.Status is KeyValueStatus.TooLarge or KeyValueStatus.Conflict)
        {
            question.Value.Clear();
            return false;
        }

        if (IsDone(question.Reply, answer.Status))
        {
            question.Reply.Bulk(question.Value.Written.Span);
        }

        return true;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> GetDeleteAsync(IKeyValueStore store, RedisQuestion question)
    {
        KeyValueAnswer answer = await store.ChangeAsync(question.KeyAt(1), KeyValueChange.Take(), question.Value);
        if (answer.Status == KeyValueStatus.TooLarge)
        {
            question.Value.Clear();
            return false;
        }

        DirectReads.WriteValue(question.Reply, answer.Status, question.Value.Written.Span);
        return true;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> AppendAsync(IKeyValueStore store, RedisQuestion question)
    {
        ReadOnlyMemory<byte> value = question.Arguments.MemoryOf(2);
        if (value.Length > KeyValueChange.MostBytes)
        {
            return false;
        }

        return IsWorked(question, await store.ChangeAsync(question.KeyAt(1), KeyValueChange.Append(value)));
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> SetRangeAsync(IKeyValueStore store, RedisQuestion question)
    {
        ReadOnlyMemory<byte> value = question.Arguments.MemoryOf(3);
        if (
            !DataCall.TryRead(question.Arguments[2], out long from)
            || from < 0
            || value.Length == 0
            || from + value.Length > KeyValueChange.MostBytes
        )
        {
            return false;
        }

        return IsWorked(question, await store.ChangeAsync(question.KeyAt(1), KeyValueChange.SetRange(from, value)));
    }

    /// <summary>INCR and its kin.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> AddAsync(IKeyValueStore store, RedisQuestion question)
    {
        if (!NumberCommands.TryDelta(question.Call, out long delta))
        {
            return true;
        }

        KeyValueAnswer answer = await store.ChangeAsync(question.KeyAt(1), KeyValueChange.Add(delta), question.Value);
        if (answer.Status == KeyValueStatus.TooLarge)
        {
            question.Reply.Error(Errors.NoInteger);
        }
        else if (IsDone(question.Reply, answer.Status))
        {
            question.Reply.Integer(question.Value.Written.Span);
        }

        return true;
    }

    /// <summary>DEL and UNLINK: each key on its own.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> DeleteAsync(IKeyValueStore store, RedisQuestion question)
    {
        if (question.Arguments.Count == 2)
        {
            KeyValueAnswer answer = await store.DeleteAsync(question.KeyAt(1));
            if (DirectReads.IsKnown(question.Reply, answer.Status))
            {
                question.Reply.Integer(answer.Status == KeyValueStatus.Done ? 1 : 0);
            }

            return true;
        }

        long count = 0;
        var asked = new ValueTask<KeyValueAnswer>[AtOnce];
        KeyValueStatus failure = KeyValueStatus.Done;
        for (int first = 1; first < question.Arguments.Count && failure == KeyValueStatus.Done; first += AtOnce)
        {
            int end = Math.Min(question.Arguments.Count, first + AtOnce);
            for (int i = first; i < end; i++)
            {
                asked[i - first] = store.DeleteAsync(question.KeyAt(i));
            }

            for (int i = first; i < end; i++)
            {
                KeyValueStatus status = (await asked[i - first]).Status;
                count += status == KeyValueStatus.Done ? 1 : 0;
                failure = status is KeyValueStatus.Done or KeyValueStatus.NotFound ? failure : status;
            }

            await question.LetOthersAsync(first - 1 + AtOnce);
        }

        if (DirectReads.IsKnown(question.Reply, failure))
        {
            question.Reply.Integer(count);
        }

        return true;
    }

    /// <summary>EXPIRE and its kin without a condition.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> ExpireAsync(IKeyValueStore store, RedisQuestion question)
    {
        if (!ExpiryCommands.TryTerms(question.Call, out TimeSpan left, out bool isPast, out ExpiryCondition condition))
        {
            return true;
        }

        if (condition != ExpiryCondition.Always)
        {
            return false;
        }

        KeyValueAnswer answer = isPast
            ? await store.DeleteAsync(question.KeyAt(1))
            : await store.ChangeAsync(question.KeyAt(1), KeyValueChange.Expire(left));
        if (answer.Status == KeyValueStatus.TooLarge)
        {
            return false;
        }

        if (DirectReads.IsKnown(question.Reply, answer.Status))
        {
            question.Reply.Integer(answer.Status == KeyValueStatus.Done ? 1 : 0);
        }

        return true;
    }

    // Longer ones are put together here.
    private static bool IsWorked(RedisQuestion question, in KeyValueAnswer answer)
    {
        if (answer.Status == KeyValueStatus.TooLarge)
        {
            return false;
        }

        if (IsDone(question.Reply, answer.Status))
        {
            question.Reply.Integer(answer.Length);
        }

        return true;
    }

    private static bool IsDone(Reply reply, KeyValueStatus status)
    {
        if (status == KeyValueStatus.Done)
        {
            return true;
        }

        reply.Refuse(status);
        return false;
    }
}
