namespace CamCube.Services.KeyValue.Counting;

/// <summary>What one server's store counts, also read from outside as <c>camcube.kv.*</c>. Loop only.</summary>
internal sealed class KeyValueCounters(IServerCounters counters)
{
    /// <summary>Reads that were asked for at this server.</summary>
    public Counter Reads { get; } = counters.Create("reads", "{operation}");

    /// <summary>Changes that were asked for at this server.</summary>
    public Counter Changes { get; } = counters.Create("changes", "{operation}");

    /// <summary>Attempts after the first.</summary>
    public Counter Retries { get; } = counters.Create("retries", "{attempt}");

    /// <summary>Operations that were not done, for too few servers could be reached.</summary>
    public Counter Unavailable { get; } = counters.Create("unavailable", "{operation}");

    /// <summary>Changes of which nobody can say whether they were made.</summary>
    public Counter Unknown { get; } = counters.Create("unknown", "{operation}");

    /// <summary>Times that this server became the leader of a group.</summary>
    public Counter Elections { get; } = counters.Create("elections", "{election}");

    /// <summary>Epochs that groups of this server entered.</summary>
    public Counter Epochs { get; } = counters.Create("epochs", "{epoch}");

    /// <summary>States of groups that were fetched.</summary>
    public Counter Fetched { get; } = counters.Create("fetched", "{group}");

    /// <summary>Changes that came with states.</summary>
    public Counter FetchedChanges { get; } = counters.Create("fetched.changes", "{change}");

    /// <summary>Bytes of long values that were fetched: with states, and for changes whose pieces were not
    /// here.</summary>
    public Counter FetchedBytes { get; } = counters.Create("fetched.bytes", "By");

    /// <summary>Changes that had rotted here, and came from another member.</summary>
    public Counter Repaired { get; } = counters.Create("repaired", "{change}");

    /// <summary>Segments that were not read at the start, for their hints were.</summary>
    public Counter Hints { get; } = counters.Create("hints", "{segment}");

    /// <summary>Hints that were not used at the start: damaged, or of something else.</summary>
    public Counter IgnoredHints { get; } = counters.Create("hints.ignored", "{segment}");

    /// <summary>Messages that cannot be.</summary>
    public Counter Malformed { get; } = counters.Create("malformed", "{message}");

    /// <summary>Groups that this server leads now.</summary>
    public Counter Leading { get; } = counters.Create("leading", "{group}");

    /// <summary>Members that are away now, of the groups that this server leads: copies that are missing.</summary>
    public Counter Away { get; } = counters.Create("away", "{member}");

    /// <summary>Keys that are known now, deleted ones too.</summary>
    public Counter Keys { get; } = counters.Create("keys", "{key}");

    /// <summary>Bytes of the log that are needed now.</summary>
    public Counter Needed { get; } = counters.Create("needed", "By");
}
