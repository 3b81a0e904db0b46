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

    /// <summary>How long changes took that were asked for at this server, whatever came of them.</summary>
    public Distribution ChangeTimes { get; } = Distribution.OfTimes(counters, "changes.times", "{operation}");

    /// <summary>How long reads did; waits for another version are none.</summary>
    public Distribution ReadTimes { get; } = Distribution.OfTimes(counters, "reads.times", "{operation}");

    /// <summary>Batches of records that were written and synced.</summary>
    public Counter Syncs { get; } = counters.Create("syncs", "{sync}");

    /// <summary>Bytes of them.</summary>
    public Counter SyncedBytes { get; } = counters.Create("syncs.bytes", "By");

    /// <summary>How long each took.</summary>
    public Distribution SyncTimes { get; } = Distribution.OfTimes(counters, "syncs.times", "{sync}");

    /// <summary>How many records each had.</summary>
    public Distribution SyncRecords { get; } =
        new(
            counters,
            "syncs.records",
            "{sync}",
            (1, "1"),
            (2, "2"),
            (4, "4"),
            (8, "8"),
            (16, "16"),
            (32, "32"),
            (64, "64"),
            (128, "128"),
            (256, "256"),
            (1_024, "1024"),
            (4_096, "4096")
        );

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

    /// <summary>Bytes that others fetched here for recovery: parts of states, and pieces of long values.</summary>
    public Counter GivenBytes { get; } = counters.Create("given.bytes", "By");

    /// <summary>Bytes of states that were fetched: keys, short values, what is known of requests.</summary>
    public Counter FetchedStateBytes { get; } = counters.Create("fetched.states.bytes", "By");

    /// <summary>Both in a second, now.</summary>
    public Counter FetchedRate { get; } = counters.Create("fetched.rate", "By/s");

    /// <summary>Groups whose state is fetched, or is to be, now.</summary>
    public Counter Fetching { get; } = counters.Create("fetching", "{group}");

    /// <summary>Bytes of the store's packets that came over each link while states were fetched.</summary>
    public LinkCounter FetchingBytes { get; } = counters.CreatePerLink("fetching.bytes", "By");

    /// <summary>Changes that had rotted here, and came from another member.</summary>
    public Counter Repaired { get; } = counters.Create("repaired", "{change}");

    /// <summary>Places of the log that were found rotten since the start, by the scrubber or by who read
    /// there.</summary>
    public Counter Rotten { get; } = counters.Create("rotten", "{place}");

    /// <summary>Bytes that the scrubber has read since the start.</summary>
    public Counter Scrubbed { get; } = counters.Create("scrubbed", "By");

    /// <summary>How much of the log the scrubber has read in its present pass.</summary>
    public Counter ScrubPercent { get; } = counters.Create("scrubbed.percent", "%");

    /// <summary>Segments that were compacted since the start.</summary>
    public Counter Compacted { get; } = counters.Create("compacted", "{segment}");

    /// <summary>Bytes that were copied for that.</summary>
    public Counter CompactedBytes { get; } = counters.Create("compacted.bytes", "By");

    /// <summary>Segments that were not read at the start, for their hints were.</summary>
    public Counter Hints { get; } = counters.Create("hints", "{segment}");

    /// <summary>Hints that were not used at the start: damaged, or of something else.</summary>
    public Counter IgnoredHints { get; } = counters.Create("hints.ignored", "{segment}");

    /// <summary>Snapshots that were not used at the start: damaged, or of something else.</summary>
    public Counter IgnoredSnapshots { get; } = counters.Create("snapshots.ignored", "{snapshot}");

    /// <summary>Messages that cannot be.</summary>
    public Counter Malformed { get; } = counters.Create("malformed", "{message}");

    /// <summary>Groups of this server that are born, and of which no leader is known here now that has a
    /// majority.</summary>
    public Counter Leaderless { get; } = counters.Create("leaderless", "{group}");

    /// <summary>Groups that this server leads now.</summary>
    public Counter Leading { get; } = counters.Create("leading", "{group}");

    /// <summary>Members that are away now, of the groups that this server leads: copies that are missing.</summary>
    public Counter Away { get; } = counters.Create("away", "{member}");

    /// <summary>Groups of this server of which no majority of the members' stores can be reached now.</summary>
    public Counter Alone { get; } = counters.Create("alone", "{group}");

    /// <summary>Keys that are known now, deleted ones too.</summary>
    public Counter Keys { get; } = counters.Create("keys", "{key}");

    /// <summary>Bytes of the log that are needed now.</summary>
    public Counter Needed { get; } = counters.Create("needed", "By");

    /// <summary>Bytes of the log.</summary>
    public Counter Bytes { get; } = counters.Create("bytes", "By");

    /// <summary>Those that are not needed.</summary>
    public Counter Garbage { get; } = counters.Create("garbage", "By");

    /// <summary>A batch was written and synced.</summary>
    /// <param name="records">Records in it.</param>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="nanos">How long that took.</param>
    public void Synced(int records, int bytes, long nanos)
    {
        Syncs.Add();
        SyncedBytes.Add(bytes);
        SyncRecords.Add(records);
        SyncTimes.Add(nanos);
    }
}
