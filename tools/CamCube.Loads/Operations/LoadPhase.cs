namespace CamCube.Loads.Operations;

/// <summary>What a part of a load does.</summary>
[Flags]
public enum LoadPhase
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Puts all records, each once.</summary>
    Load = 1,

    /// <summary>Asks what the workload says.</summary>
    Run = 2,

    /// <summary>Deletes all records.</summary>
    Remove = 4,
}
