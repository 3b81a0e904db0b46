using System.Buffers;

namespace CamCube.Services.KeyValue;

/// <summary>
/// The key-value store as other services and front ends of the same server see it: one store on all servers, each key
/// on the disks of several of them, which agree on every change by majority. docs/key-value.md says what is guaranteed.
/// Loop only; from other threads through <see cref="IServerGate"/>. Nothing here throws for what a network, a disk or a
/// client does: see <see cref="KeyValueStatus"/>.
/// </summary>
public interface IKeyValueStore
{
    /// <summary>Longest value in bytes.</summary>
    int MaxValueLength { get; }

    /// <summary>Why this server keeps no part of the store, in words for people: it has no disk, for instance. Null: it
    /// keeps its part, or may yet.</summary>
    string? Failure => null;

    /// <summary>Servers that keep each key of a table, in a cube that has so many; 0: there is no such table.</summary>
    int CopiesOf(int table) => 0;

    /// <summary>Reads a value. Its latest version and its length alone, with neither value nor metadata wanted, are
    /// known without the disk: then it is not asked, and Done says nothing of whether the value can be read.</summary>
    /// <param name="key">The key.</param>
    /// <param name="reads">Whether it must be the latest.</param>
    /// <param name="value">Where the value goes: written on the server's loop before the operation ends, only with
    /// status Done; null: it is not wanted.</param>
    /// <param name="metadata">The same for what is kept beside it.</param>
    /// <returns>Done, NotFound, DataAway, Unavailable or BadKey; TooLarge: the value is wanted, and is longer than
    /// 1 MiB (<see cref="OpenReadAsync"/>): the answer has its version and length.</returns>
    ValueTask<KeyValueAnswer> GetAsync(
        KeyValueKey key,
        KeyValueReads reads = KeyValueReads.Latest,
        IBufferWriter<byte>? value = null,
        IBufferWriter<byte>? metadata = null
    );

    /// <summary>Reads the latest value if that can be done here and now, without asking anybody: this server decides
    /// about the key, and has its value in memory. For front ends whose clients wait.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">Where the value goes, only with status Done; null: it is not wanted.</param>
    /// <param name="answer">Done or NotFound; only with true.</param>
    /// <returns>False: it cannot, and nothing was done; <see cref="GetAsync"/> can.</returns>
    bool TryGet(KeyValueKey key, IBufferWriter<byte>? value, out KeyValueAnswer answer)
    {
        answer = default;
        return false;
    }

    /// <summary>The same with what is kept beside the value.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">Where the value goes, only with true and Done; null: it is not wanted.</param>
    /// <param name="metadata">The same for what is kept beside it.</param>
    /// <param name="answer">Done or NotFound; only with true.</param>
    /// <returns>False: it cannot, and nothing was done or written.</returns>
    bool TryGet(KeyValueKey key, IBufferWriter<byte>? value, IBufferWriter<byte>? metadata, out KeyValueAnswer answer)
    {
        answer = default;
        return false;
    }

    /// <summary>Puts a value in the place of what is there.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value, lent until the operation ends.</param>
    /// <param name="put">How.</param>
    /// <returns>Done: all servers that have the key and are there have it on their disks; Conflict, TooLarge, Full,
    /// Unavailable, Unknown or BadKey.</returns>
    ValueTask<KeyValueAnswer> PutAsync(KeyValueKey key, ReadOnlyMemory<byte> value, KeyValuePut put = default);

    /// <summary>Begins to read a value of any length piece by piece.</summary>
    /// <param name="key">The key.</param>
    /// <param name="reads">Whether it must be the latest.</param>
    /// <returns>The reader, the caller's; its <see cref="IKeyValueReader.Answer"/> says whether there is anything to
    /// read.</returns>
    ValueTask<IKeyValueReader> OpenReadAsync(KeyValueKey key, KeyValueReads reads = KeyValueReads.Latest);

    /// <summary>Begins to write a value of any length piece by piece.</summary>
    /// <param name="key">The key, lent until the writer's end.</param>
    /// <returns>The writer, the caller's. Disposed of before <see cref="IKeyValueWriter.CommitAsync"/> was called,
    /// nothing of it remains.</returns>
    IKeyValueWriter OpenWrite(KeyValueKey key);

    /// <summary>Deletes a key and its value.</summary>
    /// <param name="key">The key.</param>
    /// <param name="condition">What must be so of it.</param>
    /// <returns>Done; NotFound: there was none, and no condition; Conflict, Full, Unavailable, Unknown or
    /// BadKey.</returns>
    ValueTask<KeyValueAnswer> DeleteAsync(KeyValueKey key, KeyValueCondition condition = default);

    /// <summary>
    /// Changes a value by what it is, at the server that decides about it: nothing comes between, so nobody has to try
    /// again. Done once, as every change, however often it is sent again.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="change">What is to be done.</param>
    /// <param name="value">Where the answer's value goes: the sum of an Add, the old value of an Exchange or Take;
    /// written on the server's loop before the operation ends, only with status Done; null: it is not wanted.</param>
    /// <returns>Done; NotFound: there is nothing to take or to end, and no condition; TooLarge: the value is longer
    /// than <see cref="KeyValueChange.MostBytes"/>, or would be; NotANumber, Overflow, Conflict, Full, Unavailable,
    /// BadKey; Unknown, also of an Exchange or Take that was done, if its answer was lost: the old value is not kept
    /// for those who ask again.</returns>
    ValueTask<KeyValueAnswer> ChangeAsync(KeyValueKey key, KeyValueChange change, IBufferWriter<byte>? value = null);

    /// <summary>
    /// Makes changes of several keys with the same tag, in the same table, under conditions: all or none, and nobody
    /// sees some of them without the others, whoever fails. One entry of the log, done once, as every change. Of
    /// conditions alone it is a read, which costs no entry: Done says that all of them held at one moment.
    /// </summary>
    /// <param name="batch">The steps; copied before this returns.</param>
    /// <returns>Done; Conflict, NotFound (of an Expire), NotANumber, Overflow: the step that failed says why; TooLarge:
    /// more steps than <c>BatchSteps</c> or more bytes than <c>BatchBytes</c>, as they are given or as they come out
    /// (keys, values, metadata), or one of them longer than it may be alone; CrossGroup: keys of several tags or
    /// tables;
    /// BadKey: a key is none, or there is no step; these three before anything is sent, but TooLarge of what
    /// comes out. Full, Unavailable, Unknown.</returns>
    ValueTask<KeyValueBatchAnswer> ApplyAsync(KeyValueBatch batch);

    /// <summary>Waits until a key has another version.</summary>
    /// <param name="key">The key.</param>
    /// <param name="unlike">The version that is known; 0: none, so it waits until there is a value.</param>
    /// <param name="time">How long at most.</param>
    /// <returns>Done with the version that is there; NotFound: there is none any more; Conflict: it is still the same;
    /// Unavailable or BadKey.</returns>
    ValueTask<KeyValueAnswer> WaitAsync(KeyValueKey key, ulong unlike, TimeSpan time);

    /// <summary>
    /// Lists the keys of a table in the whole cube, some at a time, in no order. What is there all the time, from the
    /// first call to the last, is listed at least once; what comes, goes or is changed meanwhile perhaps, and a key
    /// perhaps more than once. Each part shows no less than what was answered before it was asked for: a majority of
    /// the servers that have those keys confirms it. A prefix with a whole tag asks only the servers of that tag.
    /// Allocates.
    /// </summary>
    /// <param name="prefix">The table, and what the keys begin with: 0 to 65,535 bytes.</param>
    /// <param name="cursor">Where to go on: <see cref="KeyValuePage.Next"/> of the part before it, of the same prefix;
    /// null: at the beginning.</param>
    /// <param name="limit">About how many keys, 1 to <see cref="KeyValuePage.MostKeys"/>; others are taken for the
    /// nearest of them. There are fewer when they are long or rare, and sometimes some more.</param>
    ValueTask<KeyValuePage> ListAsync(KeyValueKey prefix, string? cursor = null, int limit = 1_000);

    /// <summary>The groups that this server has a part in, in their order. Allocates.</summary>
    IReadOnlyList<KeyValueGroup> ListGroups();
}
