namespace CamCube.Services.Cache.Memcached.Meta;

/// <summary>What is behind a meta command's line.</summary>
internal enum MetaStepKind : byte
{
    /// <summary>The next command.</summary>
    Nothing,

    /// <summary>The value to store.</summary>
    Data,

    /// <summary>A data block of a command that was refused.</summary>
    Garbage,
}
