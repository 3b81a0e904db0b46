namespace CamCube.Services.KeyValue.Redis.Settings;

/// <summary>What a user may do; each includes those before it.</summary>
internal enum UserRights : byte
{
    /// <summary>Nothing but say who he is.</summary>
    None,

    /// <summary>Read keys.</summary>
    Read,

    /// <summary>Change keys.</summary>
    Write,

    /// <summary>Empty tables, and look at other clients.</summary>
    Control,
}
