using CamCube.FrontEnds.Protocols;
using CamCube.Services.KeyValue.Redis.Settings;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>What is known of one client. In the connection's turns, and in the loop while a command of its own is
/// alone.</summary>
/// <param name="id">Its number.</param>
/// <param name="rights">What it may do before it has said who it is.</param>
/// <param name="owner">Its connection.</param>
internal sealed class RedisSession(long id, UserRights rights, IQuestionOwner owner)
{
    // An object or two, arrays and their places in lists, for each command between MULTI and EXEC and each key.
    private const int EntryBytes = 512;
    private readonly List<WatchedKey> _watched = [];
    private readonly HashSet<Key> _names = [];
    private long _watchedBytes;
    private long _held;

    /// <summary>Its number, which no other client of this server had.</summary>
    public long Id => id;

    /// <summary>Its connection, for others: any thread.</summary>
    public IQuestionOwner Owner => owner;

    /// <summary>What it may do.</summary>
    public UserRights Rights { get; set; } = rights;

    /// <summary>Who it is.</summary>
    public string User { get; set; } = "default";

    /// <summary>The table of its commands.</summary>
    public int Table { get; set; }

    /// <summary>The version of the protocol that it speaks.</summary>
    public int Version { get; set; } = 2;

    /// <summary>How it is called.</summary>
    public string Name { get; set; } = "";

    /// <summary>The library that it says it uses.</summary>
    public string Library { get; set; } = "";

    /// <summary>That library's version.</summary>
    public string LibraryVersion { get; set; } = "";

    /// <summary>Whether it is answered.</summary>
    public ReplyMode Mode { get; set; }

    /// <summary>Commands between MULTI and EXEC; null: there is no MULTI.</summary>
    public List<QueuedCommand>? Queue { get; set; }

    /// <summary>Whether one of them was refused, so that EXEC does nothing.</summary>
    public bool IsSpoilt { get; set; }

    /// <summary>Bytes of those commands.</summary>
    public long QueuedBytes { get; set; }

    /// <summary>Those that the front end's budget knows of.</summary>
    public ref long Held => ref _held;

    /// <summary>Keys that it watches, and their versions then.</summary>
    public IReadOnlyList<WatchedKey> Watched => _watched;

    /// <summary>Whether it wants to be gone.</summary>
    public bool HasQuit { get; set; }

    /// <summary>The name of the last command.</summary>
    public RedisCommand? Last { get; set; }

    /// <summary>Whether it watches a key already.</summary>
    public bool IsWatching(Key name) => _names.Contains(name);

    /// <summary>Watches one more key.</summary>
    /// <param name="name">The cube's key of it.</param>
    /// <param name="watched">The key, which is the session's from now on.</param>
    public void Watch(Key name, in WatchedKey watched)
    {
        _names.Add(name);
        _watched.Add(watched);
        _watchedBytes += watched.Key.Bytes.Length;
    }

    /// <summary>Watches nothing any more.</summary>
    public void Unwatch(RequestBudget budget)
    {
        ForgetWatched();
        if (Queue is null)
        {
            budget.Free(ref _held);
        }
    }

    /// <summary>Holds memory for one more command or key. False: there is none.</summary>
    /// <param name="budget">The front end's.</param>
    /// <param name="bytes">Bytes of it.</param>
    public bool TryHold(RequestBudget budget, long bytes)
    {
        long entries = (Queue?.Count ?? 0) + _watched.Count + 1L;
        return budget.TryHold(ref _held, QueuedBytes + _watchedBytes + bytes + (entries * EntryBytes));
    }

    /// <summary>Forgets the transaction; its memory goes back.</summary>
    public void ForgetQueue()
    {
        foreach (QueuedCommand command in Queue ?? [])
        {
            command.Arguments.Release();
        }

        (Queue, IsSpoilt, QueuedBytes) = (null, false, 0);
    }

    /// <summary>There is no transaction any more, and nothing is watched.</summary>
    public void EndTransaction(RequestBudget budget)
    {
        ForgetQueue();
        ForgetWatched();
        budget.Free(ref _held);
    }

    /// <summary>As new, but for who it is.</summary>
    public void Reset(RequestBudget budget)
    {
        EndTransaction(budget);
        (Table, Version, Name, Mode) = (0, 2, "", ReplyMode.On);
    }

    private void ForgetWatched()
    {
        _watched.Clear();
        _names.Clear();
        _watchedBytes = 0;
        if (_names.Capacity > 64)
        {
            // Nobody who watches little keeps room for much.
            _watched.TrimExcess();
            _names.TrimExcess();
        }
    }
}
