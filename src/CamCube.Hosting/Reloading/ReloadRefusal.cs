namespace CamCube.Hosting.Reloading;

/// <summary>Why a reload did not begin.</summary>
internal enum ReloadRefusal
{
    /// <summary>There is no such service.</summary>
    NotFound,

    /// <summary>Another one runs.</summary>
    Busy,

    /// <summary>What was to be loaded cannot take the place of what runs.</summary>
    Unfit,
}
