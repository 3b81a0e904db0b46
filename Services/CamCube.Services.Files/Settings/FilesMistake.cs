namespace CamCube.Services.Files;

/// <summary>Mistakes that tests plant, to see that their checkers find them.</summary>
internal enum FilesMistake
{
    None,

    /// <summary>Who makes a directory leaves its entry in the parent as it is, so who deletes it does not see
    /// that.</summary>
    RenewsNothing,

    /// <summary>Chunks are swept away as soon as they are found without their file.</summary>
    SweepsAtOnce,
}
