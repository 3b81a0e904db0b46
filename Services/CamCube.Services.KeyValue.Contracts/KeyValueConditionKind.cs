namespace CamCube.Services.KeyValue;

/// <summary>What a change asks of its key.</summary>
public enum KeyValueConditionKind : byte
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>That there is no such key.</summary>
    Absent = 1,

    /// <summary>That there is one.</summary>
    Present = 2,

    /// <summary>That it has one version.</summary>
    Version = 3,
}
