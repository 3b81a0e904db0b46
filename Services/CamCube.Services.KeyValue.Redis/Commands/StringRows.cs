using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Direct;
using CamCube.Services.KeyValue.Redis.Work;
using static CamCube.Services.KeyValue.Redis.Work.CommandFlags;

namespace CamCube.Services.KeyValue.Redis.Commands;

/// <summary>Rows of commands on values. Immutable.</summary>
internal static class StringRows
{
    /// <summary>All of them.</summary>
    public static IEnumerable<RedisCommand> All() =>
        [
            KeyRows.One("get", 2, Read | Fast, StringCommands.Get, DirectReads.GetAsync, "Gives a key's value."),
            KeyRows.One("set", -3, Write, StringCommands.Set, DirectWrites.SetAsync, "Sets a key's value."),
            KeyRows.One(
                "setnx",
                3,
                Write | Fast | WithoutValue,
                StringCommands.SetIfAbsent,
                DirectWrites.SetIfAbsentAsync,
                "Sets the value of a key that is not there."
            ),
            KeyRows.One(
                "setex",
                4,
                Write | WithoutValue,
                StringCommands.SetFor,
                DirectWrites.SetForAsync,
                "Sets a key's value, for some seconds.",
                "2.0.0"
            ),
            KeyRows.One(
                "psetex",
                4,
                Write | WithoutValue,
                StringCommands.SetFor,
                DirectWrites.SetForAsync,
                "Sets a key's value, for some milliseconds.",
                "2.6.0"
            ),
            KeyRows.One(
                "getset",
                3,
                Write | Fast,
                StringCommands.GetSet,
                DirectWrites.GetSetAsync,
                "Sets a key's value and gives the old one."
            ),
            KeyRows.One(
                "getdel",
                2,
                Write | Fast,
                StringCommands.GetDelete,
                DirectWrites.GetDeleteAsync,
                "Deletes a key and gives its value.",
                "6.2.0"
            ),
            KeyRows.One(
                "getex",
                -2,
                Write | Fast,
                StringCommands.GetAndExpire,
                null,
                "Gives a key's value and says anew how long it is there.",
                "6.2.0"
            ),
            KeyRows.One(
                "append",
                3,
                Write | Fast,
                StringCommands.Append,
                DirectWrites.AppendAsync,
                "Puts bytes behind a key's value.",
                "2.0.0"
            ),
            KeyRows.One(
                "strlen",
                2,
                Read | Fast | WithoutValue,
                StringCommands.Length,
                DirectReads.LengthAsync,
                "Gives the length of a key's value.",
                "2.2.0"
            ),
            KeyRows.One("getrange", 4, Read, StringCommands.GetRange, null, "Gives a part of a key's value.", "2.4.0"),
            KeyRows.One("substr", 4, Read, StringCommands.GetRange, null, "GETRANGE by its old name."),
            KeyRows.One(
                "setrange",
                4,
                Write,
                StringCommands.SetRange,
                DirectWrites.SetRangeAsync,
                "Writes over a part of a key's value.",
                "2.2.0"
            ),
            KeyRows.One(
                "incr",
                2,
                Write | Fast,
                NumberCommands.Add,
                DirectWrites.AddAsync,
                "Adds 1 to a key's number."
            ),
            KeyRows.One(
                "decr",
                2,
                Write | Fast,
                NumberCommands.Add,
                DirectWrites.AddAsync,
                "Takes 1 from a key's number."
            ),
            KeyRows.One(
                "incrby",
                3,
                Write | Fast,
                NumberCommands.Add,
                DirectWrites.AddAsync,
                "Adds to a key's number."
            ),
            KeyRows.One(
                "decrby",
                3,
                Write | Fast,
                NumberCommands.Add,
                DirectWrites.AddAsync,
                "Takes from a key's number."
            ),
            KeyRows.One(
                "incrbyfloat",
                3,
                Write | Fast,
                NumberCommands.AddFloat,
                null,
                "Adds to a key's number with a point.",
                "2.6.0"
            ),
            KeyRows.One("getbit", 3, Read | Fast, BitCommands.Get, null, "Gives a bit of a key's value.", "2.2.0") with
            {
                Group = "bitmap",
            },
            KeyRows.One("setbit", 4, Write, BitCommands.Set, null, "Sets a bit of a key's value.", "2.2.0") with
            {
                Group = "bitmap",
            },
            KeyRows.One(
                "bitcount",
                -2,
                Read,
                BitCommands.Count,
                null,
                "Counts the bits of a key's value that are 1.",
                "2.6.0"
            ) with
            {
                Group = "bitmap",
            },
            new("mget", -2, Read | Fast | EachKey)
            {
                FirstKey = 1,
                LastKey = -1,
                Data = StringCommands.GetMany,
                Direct = DirectReads.GetManyAsync,
                Summary = "Gives the values of keys, one after the other.",
            },
            new("mset", -3, Write | WithoutValue)
            {
                FirstKey = 1,
                LastKey = -1,
                KeyStep = 2,
                Data = StringCommands.SetMany,
                Summary = "Sets keys of one tag, all at once.",
                Since = "1.0.1",
            },
            new("msetnx", -3, Write | WithoutValue)
            {
                FirstKey = 1,
                LastKey = -1,
                KeyStep = 2,
                Data = StringCommands.SetManyIfAbsent,
                Summary = "Sets keys of one tag, if none of them is there.",
                Since = "1.0.1",
            },
            new("lcs", -3, Read)
            {
                FirstKey = 1,
                LastKey = 2,
                Data = LcsCommand.Run,
                Summary = "Finds what two values have in common, in order.",
                Since = "7.0.0",
            },
        ];
}
