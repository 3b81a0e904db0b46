namespace CamCube.Services.KeyValue.Members;

/// <summary>What a group remembers of the requests of one server.</summary>
internal struct AskerMemory
{
    /// <summary>The last run of that server that asked; requests of earlier ones are refused.</summary>
    public ulong Run;

    /// <summary>Requests of that run up to this number are refused: nobody waits for them any more, or what came of
    /// them is forgotten.</summary>
    public ulong Mark;

    /// <summary>The highest number whose answer is remembered.</summary>
    public ulong Highest;

    /// <summary>Answers that are remembered.</summary>
    public int Count;

    /// <summary>When it asked last, counted in requests of the group.</summary>
    public ulong Seen;
}
