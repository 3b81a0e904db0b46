using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>A command as it is known: what it needs, who may, and the ways in which it can be done.
/// Immutable.</summary>
/// <param name="Name">Its name in small letters.</param>
/// <param name="Arity">Arguments with the name; negative: at least so many.</param>
/// <param name="Flags">What is to be known.</param>
internal sealed record RedisCommand(string Name, int Arity, CommandFlags Flags)
{
    /// <summary>The argument that is its first key; 0: it has none.</summary>
    public int FirstKey { get; init; }

    /// <summary>The one that is its last; negative: counted from the end.</summary>
    public int LastKey { get; init; }

    /// <summary>How far it is from one key to the next.</summary>
    public int KeyStep { get; init; } = 1;

    /// <summary>Works it out of keys that were read for it.</summary>
    public Action<DataCall>? Data { get; init; }

    /// <summary>Does it by operations of the store that say all that it asks. False: they do not in this case, nothing
    /// was done, and <see cref="Data"/> can.</summary>
    public Func<IKeyValueStore, RedisQuestion, ValueTask<bool>>? Direct { get; init; }

    /// <summary>Does what only the client's own connection is asked for.</summary>
    public Action<SessionCall>? Session { get; init; }

    /// <summary>Does it with the store, alone: what the client asked before has ended, and what it asks later
    /// waits.</summary>
    public Func<IKeyValueStore, RedisQuestion, ValueTask>? Store { get; init; }

    /// <summary>Whether there is no transaction after it, whatever came of it.</summary>
    public bool EndsTransaction { get; init; }

    /// <summary>What it belongs to, as COMMAND DOCS says it.</summary>
    public string Group { get; init; } = "string";

    /// <summary>What it does, in a line.</summary>
    public string Summary { get; init; } = "";

    /// <summary>Redis' version that had it first.</summary>
    public string Since { get; init; } = "1.0.0";

    /// <summary>Whether keys stay as they are.</summary>
    public bool IsRead => (Flags & CommandFlags.Write) == 0;

    /// <summary>Whether a number of arguments is right.</summary>
    public bool Takes(int count) =>
        (Arity < 0 ? count >= -Arity : count == Arity) && (KeyStep == 1 || count % KeyStep == 1);

    /// <summary>The argument behind its last key; the first is <see cref="FirstKey"/>.</summary>
    public int KeysEnd(int count) =>
        FirstKey == 0 ? 0
        : LastKey < 0 ? count + LastKey + 1
        : Math.Min(LastKey + 1, count);

    /// <summary>Declares its keys for <see cref="Data"/>. False: with them there are more than so many.</summary>
    public bool TryDeclare(RequestArguments arguments, int table, Keyspace keys, int most)
    {
        for (int i = FirstKey; i > 0 && i < KeysEnd(arguments.Count) && keys.Count <= most; i += KeyStep)
        {
            var key = new KeyValueKey(arguments.MemoryOf(i), table);
            keys.Declare(key, (Flags & CommandFlags.WithoutValue) == 0);
        }

        return keys.Count <= most;
    }
}
