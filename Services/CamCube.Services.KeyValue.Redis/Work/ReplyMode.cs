namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>Whether a client is answered.</summary>
internal enum ReplyMode : byte
{
    /// <summary>Always.</summary>
    On,

    /// <summary>Never, until it says otherwise.</summary>
    Off,

    /// <summary>Not to the next command.</summary>
    SkipNext,
}
