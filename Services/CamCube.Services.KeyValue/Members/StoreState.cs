namespace CamCube.Services.KeyValue.Members;

/// <summary>What a store says of itself.</summary>
internal enum StoreState : byte
{
    /// <summary>It knows nothing of any group.</summary>
    Blank = 0,

    /// <summary>It knows of groups, and is not of the first start.</summary>
    Known = 1,

    /// <summary>It is of the first start.</summary>
    Founding = 2,
}
