namespace CamCube.Services.KeyValue.Operations;

/// <summary>What an operation makes of its key.</summary>
internal enum OperationKind : byte
{
    None = 0,

    /// <summary>It has this value from now on.</summary>
    Put = 1,

    /// <summary>There is no such key from now on.</summary>
    Delete = 2,

    /// <summary>It stays as it is: a request that was asked more than once is refused, so that no other attempt of it
    /// is done later. The value is the answer.</summary>
    Refusal = 3,

    /// <summary>As a put; the value is a sum, and the answer.</summary>
    Add = 4,

    /// <summary>As a put; the answer was the old value.</summary>
    Exchange = 5,

    /// <summary>As a delete; the answer was the old value.</summary>
    Take = 6,

    /// <summary>It has a value from now on that lies in pieces; the operation has their list.</summary>
    PutPieces = 8,

    /// <summary>Puts and deletes of several keys, all of one version: the value is what
    /// <see cref="OperationParts"/> wrote. On the disk each key has a record of its own.</summary>
    Batch = 9,
}
