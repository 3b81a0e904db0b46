using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Direct;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Sessions;

/// <summary>MULTI, EXEC and what belongs to them: keys of one tag, all or nothing.</summary>
internal static class TransactionCommands
{
    public static void Begin(SessionCall call)
    {
        if (call.Session.Queue is not null)
        {
            call.Reply.Error("ERR MULTI calls can not be nested");
            return;
        }

        call.Session.Queue = [];
        call.Reply.Ok();
    }

    public static void Discard(SessionCall call)
    {
        if (call.Session.Queue is null)
        {
            call.Reply.Error("ERR DISCARD without MULTI");
            return;
        }

        call.Session.EndTransaction(call.Context.Budget);
        call.Reply.Ok();
    }

    public static void Unwatch(SessionCall call)
    {
        call.Session.Unwatch(call.Context.Budget);
        call.Reply.Ok();
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    public static async ValueTask WatchAsync(IKeyValueStore store, RedisQuestion question)
    {
        RedisSession session = question.Session;
        if (session.Queue is not null)
        {
            question.Reply.Error("ERR WATCH inside MULTI is not allowed");
            return;
        }

        int most = question.Context.Options.MaxWatched;
        for (int i = 1; i < question.Arguments.Count; i++)
        {
            Key name = question.KeyAt(i).ToKey();
            if (session.IsWatching(name))
            {
                continue;
            }

            // Said before the first of too many is asked for.
            if (session.Watched.Count >= most || question.Arguments.Count - 1 > most)
            {
                question.Reply.Error($"ERR a client may watch {most} keys (setting MaxWatched)");
                return;
            }

            if (!session.TryHold(question.Context.Budget, question.Arguments[i].Length))
            {
                question.Context.Counters.CountRefusedForMemory();
                question.Reply.Error(Errors.NoMemory);
                return;
            }

            var key = new KeyValueKey(question.Arguments[i].ToArray(), question.Call.Table);
            KeyValueAnswer answer = await store.GetAsync(key);
            if (!DirectReads.IsKnown(question.Reply, answer.Status))
            {
                return;
            }

            session.Watch(name, new WatchedKey(key, answer.Status == KeyValueStatus.Done ? answer.Version : 0));
        }

        question.Reply.Ok();
    }

    public static async ValueTask ExecuteAsync(IKeyValueStore store, RedisQuestion question)
    {
        RedisSession session = question.Session;
        if (session.Queue is null)
        {
            question.Reply.Error("ERR EXEC without MULTI");
            return;
        }

        if (session.IsSpoilt)
        {
            question.Reply.Error(Errors.ExecAbort);
        }
        else
        {
            await ExecuteQueueAsync(store, question, session.Queue);
        }

        // The client may have closed itself in there: it gets this answer, and no other.
        question.IsLast = session.HasQuit;
        session.EndTransaction(question.Context.Budget);
    }

    private static async ValueTask ExecuteQueueAsync(
        IKeyValueStore store,
        RedisQuestion question,
        List<QueuedCommand> queue
    )
    {
        var keys = new Keyspace();
        int table = question.Session.Table,
            most = question.Context.Options.MaxTogether;
        foreach (WatchedKey watched in question.Session.Watched)
        {
            keys.Declare(watched.Key, needsValue: false);
        }

        bool fits = keys.Count <= most;
        foreach (QueuedCommand queued in queue)
        {
            table = TableAfter(question, queued, table);
            fits = fits && queued.Command.TryDeclare(queued.Arguments, table, keys, most);
        }

        if (!fits)
        {
            question.Reply.Error(Errors.ManyTogether(most));
            keys.Clear();
            return;
        }

        if (!keys.IsOneGroup())
        {
            question.Reply.Error(Errors.CrossSlot);
            keys.Clear();
            return;
        }

        int first = question.Session.Table;
        TransactionEnd end = await Transaction.RunAsync(
            store,
            question,
            keys,
            question.Session.Watched,
            again => WorkAsync(again, queue, keys, first)
        );
        if (end.Status != KeyValueStatus.Done)
        {
            (question.Session.Table, question.Session.HasQuit) = (first, false);
            if (end.IsTouched)
            {
                question.Reply.NullArray();
            }
            else
            {
                end.Refuse(question.Reply);
            }
        }

        keys.Clear();
    }

    // It may be the second time: all begins as it was. Between two parts of it others have their turn; it stays as if
    // done at one moment, as nothing of it is put before its end, and only if all still is as it was read.
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private static async ValueTask<bool> WorkAsync(
        RedisQuestion question,
        List<QueuedCommand> queue,
        Keyspace keys,
        int table
    )
    {
        (question.Session.Table, question.Session.HasQuit) = (table, false);
        question.Reply.Array(queue.Count);
        long last = WorkOf(question, keys);
        foreach (QueuedCommand queued in queue)
        {
            if (WorkOf(question, keys) - last >= RedisQuestion.WorkPerTurn)
            {
                if (question.Reply.IsTooLong || !question.TryHoldMade(keys.MadeBytes) || !question.TryHoldAnswer())
                {
                    return false;
                }

                await question.LetOthersAsync();
                last = WorkOf(question, keys);
            }

            question.Reply.Work += 1_024L * (1 + queued.Arguments.Count);
            if (queued.Command.Session is { } session)
            {
                session(new SessionCall(question.Context, question.Session, queued.Arguments, question.Reply));
                continue;
            }

            queued.Command.Data!(
                new DataCall
                {
                    Arguments = queued.Arguments,
                    Reply = question.Reply,
                    Keys = keys,
                    Table = question.Session.Table,
                    NowMillis = question.Call.NowMillis,
                    MaxValueLength = question.Call.MaxValueLength,
                }
            );
        }

        return true;
    }

    private static long WorkOf(RedisQuestion question, Keyspace keys) =>
        question.Reply.Work + question.Reply.Output.Length + keys.MovedBytes;

    private static int TableAfter(RedisQuestion question, QueuedCommand queued, int table) =>
        queued.Command.Name == "select"
        && DataCall.TryRead(queued.Arguments[1], out long to)
        && to is >= 0 and < RedisContext.MostTables
        && question.Context.HasTable((int)to)
            ? (int)to
        : queued.Command.Name == "reset" ? 0
        : table;
}
