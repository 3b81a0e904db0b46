using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Direct;

/// <summary>Reads that are one operation of the store for each key. Loop only; the rest of a call runs on the loop by
/// its builder, and nothing is made for it.</summary>
internal static class DirectReads
{
    // Keys of one command that are asked for at once.
    private const int AtOnce = 64;

    public static ValueTask<bool> GetAsync(IKeyValueStore store, RedisQuestion question)
    {
        if (!store.TryGet(question.KeyAt(1), question.Value, out KeyValueAnswer answer))
        {
            return AskAsync(store, question);
        }

        WriteValue(question.Reply, answer.Status, question.Value.Written.Span);
        return new ValueTask<bool>(true);
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private static async ValueTask<bool> AskAsync(IKeyValueStore store, RedisQuestion question)
    {
        KeyValueAnswer answer = await store.GetAsync(question.KeyAt(1), KeyValueReads.Latest, question.Value);
        if (answer.Status == KeyValueStatus.TooLarge)
        {
            question.Value.Clear();
            return false;
        }

        WriteValue(question.Reply, answer.Status, question.Value.Written.Span);
        return true;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> LengthAsync(IKeyValueStore store, RedisQuestion question)
    {
        KeyValueAnswer answer = await store.GetAsync(question.KeyAt(1));
        if (IsKnown(question.Reply, answer.Status))
        {
            question.Reply.Integer(answer.Status == KeyValueStatus.Done ? answer.Length : 0);
        }

        return true;
    }

    /// <summary>TTL and its kin.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> TimeLeftAsync(IKeyValueStore store, RedisQuestion question)
    {
        KeyValueAnswer answer = await store.GetAsync(question.KeyAt(1));
        if (IsKnown(question.Reply, answer.Status))
        {
            bool exists = answer.Status == KeyValueStatus.Done;
            question.Reply.Integer(
                ExpiryCommands.TimeLeft(question.Command.Name, exists, answer.Expires, question.Call.NowMillis)
            );
        }

        return true;
    }

    /// <summary>EXISTS and TOUCH.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> ExistsAsync(IKeyValueStore store, RedisQuestion question)
    {
        long count = 0;
        if (question.Arguments.Count == 2)
        {
            KeyValueAnswer answer = await store.GetAsync(question.KeyAt(1));
            if (IsKnown(question.Reply, answer.Status))
            {
                question.Reply.Integer(answer.Status == KeyValueStatus.Done ? 1 : 0);
            }

            return true;
        }

        var asked = new ValueTask<KeyValueAnswer>[AtOnce];
        for (int first = 1; first < question.Arguments.Count; first += AtOnce)
        {
            int end = Math.Min(question.Arguments.Count, first + AtOnce);
            for (int i = first; i < end; i++)
            {
                asked[i - first] = store.GetAsync(question.KeyAt(i));
            }

            KeyValueStatus failure = KeyValueStatus.Done;
            for (int i = first; i < end; i++)
            {
                KeyValueStatus status = (await asked[i - first]).Status;
                count += status == KeyValueStatus.Done ? 1 : 0;
                failure = status is KeyValueStatus.Done or KeyValueStatus.NotFound ? failure : status;
            }

            if (!IsKnown(question.Reply, failure))
            {
                return true;
            }

            await question.LetOthersAsync(first - 1 + AtOnce);
        }

        question.Reply.Integer(count);
        return true;
    }

    /// <summary>MGET: each key on its own.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> GetManyAsync(IKeyValueStore store, RedisQuestion question)
    {
        int count = question.Arguments.Count - 1;
        var keys = new KeyEntry[Math.Min(AtOnce, count)];
        var asked = new ValueTask<KeyValueStatus>[keys.Length];
        question.Reply.Array(count);
        KeyValueStatus failure = KeyValueStatus.Done;
        for (int first = 1; first <= count && failure == KeyValueStatus.Done; first += AtOnce)
        {
            int some = Math.Min(keys.Length, count + 1 - first);
            for (int i = 0; i < some; i++)
            {
                keys[i] = new KeyEntry(question.KeyAt(first + i)) { NeedsValue = true };
                asked[i] = KeyLoader.LoadAsync(store, keys[i], question);
            }

            for (int i = 0; i < some; i++)
            {
                KeyValueStatus status = await asked[i];
                failure = status == KeyValueStatus.Done ? failure : status;
                if (failure == KeyValueStatus.Done)
                {
                    WriteValue(
                        question.Reply,
                        keys[i].Exists ? KeyValueStatus.Done : KeyValueStatus.NotFound,
                        keys[i].Value
                    );
                }

                keys[i].Release();
            }

            await question.LetOthersAsync(first - 1 + AtOnce);
        }

        if (failure != KeyValueStatus.Done)
        {
            question.Reply.Clear();
            question.Reply.Refuse(failure);
        }

        return true;
    }

    /// <summary>Answers with a value.</summary>
    public static void WriteValue(Reply reply, KeyValueStatus status, ReadOnlySpan<byte> value)
    {
        if (status == KeyValueStatus.Done)
        {
            reply.Bulk(value);
        }
        else if (IsKnown(reply, status))
        {
            reply.Null();
        }
    }

    /// <summary>Whether it is known if there is such a key; else an error was answered.</summary>
    public static bool IsKnown(Reply reply, KeyValueStatus status)
    {
        if (status is KeyValueStatus.Done or KeyValueStatus.NotFound)
        {
            return true;
        }

        reply.Refuse(status);
        return false;
    }
}
