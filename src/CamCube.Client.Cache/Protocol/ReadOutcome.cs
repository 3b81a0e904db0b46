namespace CamCube.Client.Cache.Protocol;

/// <summary>What became of an attempt to read an answer.</summary>
internal enum ReadOutcome
{
    /// <summary>An answer was taken.</summary>
    Taken,

    /// <summary>The answer is not there in whole.</summary>
    Partial,

    /// <summary>This is no answer to the request; nothing that follows can be trusted.</summary>
    Breach,
}
