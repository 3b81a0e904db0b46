namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>What a transaction makes of a key.</summary>
internal enum KeyOutcome : byte
{
    /// <summary>Nothing: it stays as it is.</summary>
    None,

    /// <summary>Another value.</summary>
    Put,

    /// <summary>It is there for another time.</summary>
    Expire,

    /// <summary>It is there no more.</summary>
    Delete,
}
