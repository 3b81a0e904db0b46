namespace CamCube.Services.KeyValue.Operations;

/// <summary>What an operation makes of its key.</summary>
internal enum OperationKind : byte
{
    None = 0,

    /// <summary>It has this value from now on.</summary>
    Put = 1,

    /// <summary>There is no such key from now on.</summary>
    Delete = 2,
}
