namespace CamCube.Histories;

/// <summary>What a client asked for.</summary>
public enum HistoryKind
{
    /// <summary>The value.</summary>
    Get,

    /// <summary>Another value.</summary>
    Put,

    /// <summary>No value.</summary>
    Delete,
}
