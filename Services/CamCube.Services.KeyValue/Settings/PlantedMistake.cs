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
}
