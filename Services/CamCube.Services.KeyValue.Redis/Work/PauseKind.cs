namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>What stands still. What is more is larger.</summary>
internal enum PauseKind
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>What changes keys.</summary>
    Writes,

    /// <summary>All.</summary>
    All,
}
