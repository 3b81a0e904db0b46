namespace CamCube.Services.Cache.Store;

/// <summary>How a value that is stored and the one that is there are put together.</summary>
internal enum Joining : byte
{
    /// <summary>Not: the new one replaces the old one.</summary>
    None = 0,

    /// <summary>The new one before the old one.</summary>
    Before = 1,

    /// <summary>The new one behind the old one.</summary>
    After = 2,
}
