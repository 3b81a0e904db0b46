namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>When EXPIRE changes a time.</summary>
[Flags]
internal enum ExpiryCondition : byte
{
    /// <summary>Always.</summary>
    Always = 0,

    /// <summary>NX: the key ends never.</summary>
    IfNone = 1,

    /// <summary>XX: it ends some time.</summary>
    IfAny = 2,

    /// <summary>GT: it ends sooner now.</summary>
    IfLater = 4,

    /// <summary>LT: it ends later now, or never.</summary>
    IfSooner = 8,
}
