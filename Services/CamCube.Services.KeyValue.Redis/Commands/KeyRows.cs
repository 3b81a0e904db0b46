using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Direct;
using CamCube.Services.KeyValue.Redis.Work;
using static CamCube.Services.KeyValue.Redis.Work.CommandFlags;

namespace CamCube.Services.KeyValue.Redis.Commands;

/// <summary>Rows of commands on keys. Immutable.</summary>
internal static class KeyRows
{
    /// <summary>All of them.</summary>
    public static IEnumerable<RedisCommand> All()
    {
        const CommandFlags Reads = Read | Fast | WithoutValue;
        const CommandFlags Writes = Write | Fast | WithoutValue;
        RedisCommand[] keys =
        [
            new("del", -2, Writes | EachKey)
            {
                FirstKey = 1,
                LastKey = -1,
                Data = KeyCommands.Delete,
                Direct = DirectWrites.DeleteAsync,
                Summary = "Deletes keys.",
            },
            new("unlink", -2, Writes | EachKey)
            {
                FirstKey = 1,
                LastKey = -1,
                Data = KeyCommands.Delete,
                Direct = DirectWrites.DeleteAsync,
                Summary = "Deletes keys.",
                Since = "4.0.0",
            },
            new("exists", -2, Reads | EachKey)
            {
                FirstKey = 1,
                LastKey = -1,
                Data = KeyCommands.Exists,
                Direct = DirectReads.ExistsAsync,
                Summary = "Counts keys that are there.",
            },
            new("touch", -2, Reads | EachKey)
            {
                FirstKey = 1,
                LastKey = -1,
                Data = KeyCommands.Exists,
                Direct = DirectReads.ExistsAsync,
                Summary = "Counts keys that are there.",
                Since = "3.2.1",
            },
            One(
                "type",
                2,
                Reads,
                KeyCommands.Type,
                null,
                "Says that a key's value is a string, or that there is none."
            ),
            new("rename", 3, Write)
            {
                FirstKey = 1,
                LastKey = 2,
                Data = KeyCommands.Rename,
                Summary = "Gives a key another name of the same tag.",
            },
            new("renamenx", 3, Write)
            {
                FirstKey = 1,
                LastKey = 2,
                Data = KeyCommands.Rename,
                Summary = "Gives a key another name of the same tag that is free.",
            },
            new("copy", -3, Write)
            {
                FirstKey = 1,
                LastKey = 2,
                Data = KeyCommands.Copy,
                Summary = "Copies a key to another of the same tag.",
                Since = "6.2.0",
            },
            One(
                "expire",
                -3,
                Writes,
                ExpiryCommands.Expire,
                DirectWrites.ExpireAsync,
                "Says how many seconds a key is there."
            ),
            One(
                "pexpire",
                -3,
                Writes,
                ExpiryCommands.Expire,
                DirectWrites.ExpireAsync,
                "Says how many milliseconds a key is there.",
                "2.6.0"
            ),
            One(
                "expireat",
                -3,
                Writes,
                ExpiryCommands.Expire,
                DirectWrites.ExpireAsync,
                "Says until which second a key is there.",
                "1.2.0"
            ),
            One(
                "pexpireat",
                -3,
                Writes,
                ExpiryCommands.Expire,
                DirectWrites.ExpireAsync,
                "Says until which millisecond a key is there.",
                "2.6.0"
            ),
            One("persist", 2, Writes, ExpiryCommands.Persist, null, "Keeps a key until it is deleted.", "2.2.0"),
            One(
                "ttl",
                2,
                Reads,
                ExpiryCommands.TimeLeft,
                DirectReads.TimeLeftAsync,
                "Gives the seconds that a key is there yet."
            ),
            One(
                "pttl",
                2,
                Reads,
                ExpiryCommands.TimeLeft,
                DirectReads.TimeLeftAsync,
                "Gives the milliseconds that a key is there yet.",
                "2.6.0"
            ),
            One(
                "expiretime",
                2,
                Reads,
                ExpiryCommands.TimeLeft,
                DirectReads.TimeLeftAsync,
                "Gives the second until which a key is there.",
                "7.0.0"
            ),
            One(
                "pexpiretime",
                2,
                Reads,
                ExpiryCommands.TimeLeft,
                DirectReads.TimeLeftAsync,
                "Gives the millisecond until which a key is there.",
                "7.0.0"
            ),
            One("object", -3, Read, StringCommands.Describe, null, "Says how Redis would keep a value.", "2.2.3") with
            {
                FirstKey = 2,
                LastKey = 2,
            },
        ];
        return keys.Select(static c => c with { Group = "generic" });
    }

    /// <summary>A command on the key that is its first argument.</summary>
    public static RedisCommand One(
        string name,
        int arity,
        CommandFlags flags,
        Action<DataCall> data,
        Func<IKeyValueStore, RedisQuestion, ValueTask<bool>>? direct,
        string summary,
        string since = "1.0.0"
    ) =>
        new(name, arity, flags)
        {
            FirstKey = 1,
            LastKey = 1,
            Data = data,
            Direct = direct,
            Summary = summary,
            Since = since,
        };
}
