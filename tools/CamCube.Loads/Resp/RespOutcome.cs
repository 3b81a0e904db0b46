namespace CamCube.Loads.Resp;

/// <summary>What came of reading an answer.</summary>
public enum RespOutcome
{
    /// <summary>It is there.</summary>
    Taken,

    /// <summary>Some of it is to come yet.</summary>
    Partial,

    /// <summary>No server that speaks Redis says such a thing; nothing behind it can be read.</summary>
    Breach,
}
