namespace CamCube.Services.KeyValue.Wire;

/// <summary>What a server has of a group.</summary>
internal enum CopyPart : byte
{
    /// <summary>Nothing that counts.</summary>
    None = 0,

    /// <summary>It is fetching it.</summary>
    Late = 1,

    /// <summary>All up to what it says.</summary>
    All = 2,
}
