using System.Globalization;
using System.Text;
using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Settings;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Direct;

/// <summary>Commands on all keys of a table, which ask all servers of the cube. Loop only.</summary>
internal static class ScanCommands
{
    private const int Page = 1_000;
    private const int AtOnce = 64;

    public static async ValueTask ScanAsync(IKeyValueStore store, RedisQuestion question)
    {
        if (!ulong.TryParse(question.Arguments[1], NumberStyles.None, CultureInfo.InvariantCulture, out ulong number))
        {
            question.Reply.Error("ERR invalid cursor");
            return;
        }

        if (!TryReadTerms(question, out byte[]? pattern, out long count, out bool areStrings))
        {
            return;
        }

        ScanTable scans = question.Context.Scans;
        string? cursor = number == 0 ? null : scans.Find(number, question.Call.Table);
        if (number != 0 && cursor is null)
        {
            question.Reply.Error("ERR invalid cursor: it is another server's, another table's, or too old");
            return;
        }

        int limit = (int)Math.Min(count, KeyValuePage.MostKeys);
        KeyValuePage page = await store.ListAsync(new KeyValueKey(default, question.Call.Table), cursor, limit);
        if (page.Status != KeyValueStatus.Done)
        {
            question.Reply.Refuse(page.Status);
            return;
        }

        ulong next = page.Next is null ? 0 : scans.Add(question.Call.Table, page.Next);
        List<ReadOnlyMemory<byte>> keys = areStrings ? Fitting(page, pattern) : [];
        question.Reply.Array(2);
        question.Reply.Bulk(next.ToString(CultureInfo.InvariantCulture));
        WriteKeys(question.Reply, keys);
    }

    public static async ValueTask KeysAsync(IKeyValueStore store, RedisQuestion question)
    {
        byte[] pattern = question.Arguments[1].ToArray();
        List<ReadOnlyMemory<byte>> keys = [];
        int most = question.Context.Options.MaxListed;
        KeyValueStatus status = await ForEachPageAsync(
            store,
            new KeyValueKey(GlobPattern.PrefixOf(pattern).ToArray(), question.Call.Table),
            page =>
            {
                keys.AddRange(Fitting(page, pattern));
                return keys.Count <= most;
            }
        );
        if (status != KeyValueStatus.Done)
        {
            question.Reply.Refuse(status);
        }
        else if (keys.Count > most)
        {
            question.Reply.Error($"ERR more than {most} keys fit (setting MaxListed): SCAN lists any number");
        }
        else
        {
            WriteKeys(question.Reply, Distinct(keys));
        }
    }

    public static async ValueTask CountAsync(IKeyValueStore store, RedisQuestion question)
    {
        long count = 0;
        KeyValueStatus status = await ForEachPageAsync(
            store,
            new KeyValueKey(default, question.Call.Table),
            page =>
            {
                count += page.Keys.Count;
                return true;
            }
        );
        if (DirectReads.IsKnown(question.Reply, status))
        {
            question.Reply.Integer(count);
        }
    }

    /// <summary>Any of the first keys that a list gives, each as likely.</summary>
    public static async ValueTask RandomAsync(IKeyValueStore store, RedisQuestion question)
    {
        IReadOnlyList<KeyValueListing> keys = [];
        KeyValueStatus status = await ForEachPageAsync(
            store,
            new KeyValueKey(default, question.Call.Table),
            page =>
            {
                keys = page.Keys;
                return keys.Count == 0;
            }
        );
        if (!DirectReads.IsKnown(question.Reply, status))
        {
            return;
        }

        if (keys.Count == 0)
        {
            question.Reply.Null();
        }
        else
        {
            question.Reply.Bulk(keys[question.Context.Random.Next(keys.Count)].Key.Span);
        }
    }

    /// <summary>FLUSHDB and FLUSHALL: key by key, so keys that others set meanwhile may stay or go.</summary>
    public static async ValueTask FlushAsync(IKeyValueStore store, RedisQuestion question)
    {
        int count = question.Arguments.Count;
        string word = count == 2 ? Encoding.ASCII.GetString(question.Arguments[1]).ToLowerInvariant() : "";
        if (count > 2 || word is not ("" or "sync" or "async"))
        {
            question.Reply.Error(Errors.Syntax);
            return;
        }

        if (question.Session.Rights < UserRights.Control)
        {
            question.Reply.Error("NOPERM only who may control may flush (settings UserFile, AllowFlush)");
            return;
        }

        bool isAll = question.Command.Name == "flushall";
        for (int table = 0; table < RedisContext.MostTables; table++)
        {
            bool isAsked = isAll ? store.CopiesOf(table) > 0 : table == question.Call.Table;
            KeyValueStatus status = isAsked ? await FlushAsync(store, table) : KeyValueStatus.Done;
            if (status != KeyValueStatus.Done)
            {
                question.Reply.Refuse(status);
                return;
            }
        }

        question.Reply.Ok();
    }

    private static async ValueTask<KeyValueStatus> FlushAsync(IKeyValueStore store, int table)
    {
        var asked = new ValueTask<KeyValueAnswer>[AtOnce];
        string? cursor = null;
        do
        {
            KeyValuePage page = await store.ListAsync(new KeyValueKey(default, table), cursor, Page);
            if (page.Status != KeyValueStatus.Done)
            {
                return page.Status;
            }

            KeyValueStatus failure = KeyValueStatus.Done;
            for (int first = 0; first < page.Keys.Count; first += AtOnce)
            {
                int some = Math.Min(AtOnce, page.Keys.Count - first);
                for (int i = 0; i < some; i++)
                {
                    asked[i] = store.DeleteAsync(new KeyValueKey(page.Keys[first + i].Key, table));
                }

                for (int i = 0; i < some; i++)
                {
                    KeyValueStatus status = (await asked[i]).Status;
                    failure = status is KeyValueStatus.Done or KeyValueStatus.NotFound ? failure : status;
                }
            }

            if (failure != KeyValueStatus.Done)
            {
                return failure;
            }

            cursor = page.Next;
        } while (cursor is not null);

        return KeyValueStatus.Done;
    }

    private static async ValueTask<KeyValueStatus> ForEachPageAsync(
        IKeyValueStore store,
        KeyValueKey prefix,
        Func<KeyValuePage, bool> take
    )
    {
        string? cursor = null;
        do
        {
            KeyValuePage page = await store.ListAsync(prefix, cursor, KeyValuePage.MostKeys);
            if (page.Status != KeyValueStatus.Done)
            {
                return page.Status;
            }

            cursor = page.Next;
            if (!take(page))
            {
                break;
            }
        } while (cursor is not null);

        return KeyValueStatus.Done;
    }

    private static bool TryReadTerms(RedisQuestion question, out byte[]? pattern, out long count, out bool areStrings)
    {
        (pattern, count, areStrings) = (null, 10, true);
        DataCall call = question.Call;
        for (int i = 2; i < call.Count; i += 2)
        {
            if (i + 1 == call.Count)
            {
                question.Reply.Error(Errors.Syntax);
                return false;
            }

            if (call.Is(i, "match"u8))
            {
                pattern = call[i + 1].ToArray();
            }
            else if (call.Is(i, "count"u8))
            {
                if (!call.TryInteger(i + 1, out count))
                {
                    return false;
                }

                if (count < 1)
                {
                    question.Reply.Error(Errors.Syntax);
                    return false;
                }
            }
            else if (call.Is(i, "type"u8))
            {
                areStrings = call.Is(i + 1, "string"u8);
            }
            else
            {
                question.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        return true;
    }

    private static List<ReadOnlyMemory<byte>> Fitting(KeyValuePage page, byte[]? pattern) =>
        [
            .. page
                .Keys.Where(key => pattern is null || GlobPattern.Fits(pattern, key.Key.Span))
                .Select(static key => key.Key),
        ];

    // A list may give a key twice.
    private static List<ReadOnlyMemory<byte>> Distinct(List<ReadOnlyMemory<byte>> keys)
    {
        HashSet<Key> seen = new(keys.Count);
        keys.RemoveAll(key => !seen.Add(Key.OfBytes(key.Span)));
        return keys;
    }

    private static void WriteKeys(Reply reply, List<ReadOnlyMemory<byte>> keys)
    {
        reply.Array(keys.Count);
        foreach (ReadOnlyMemory<byte> key in keys)
        {
            reply.Bulk(key.Span);
        }
    }
}
