namespace CamCube.Services.KeyValue;

/// <summary>Mistakes for tests of what must find them. No server makes one.</summary>
internal enum PlantedMistake : byte
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Entries are taken for durable as soon as they are on their way to the disk.</summary>
    SaysUnsynced,

    /// <summary>Who led once answers reads without asking whether it still does.</summary>
    ReadsUnconfirmed,

    /// <summary>Only who leads remembers which requests were done.</summary>
    ForgetsRequests,

    /// <summary>Votes are said, and never written.</summary>
    VotesUnsynced,

    /// <summary>Who proposes other members uses them at once.</summary>
    UsesEpochEarly,

    /// <summary>Who becomes a member does not wait until it has the state.</summary>
    ActsWithoutState,

    /// <summary>What has rotted at the end of the log is cut off like what a power failure tore.</summary>
    CutsRot,

    /// <summary>A key that was deleted is forgotten, with its delete.</summary>
    DropsDeletes,

    /// <summary>Whether the time is over for which reads need no question is looked at before what they see: with
    /// the group's read before.</summary>
    ClockBeforeValue,

    /// <summary>A disk in the place of another has its id.</summary>
    KeepsStoreId,

    /// <summary>A state that was just fetched is given to others before all of it is durable and in the index.
    /// </summary>
    GivesHalf,

    /// <summary>Nobody writes down which stores were given up.</summary>
    ForgetsBans,

    /// <summary>Of a batch the first key is visible before the others, which are with whatever is visible next.
    /// </summary>
    TearsBatches,
}
