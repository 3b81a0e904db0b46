namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>What a stats command is about.</summary>
internal enum StatisticsGroup : byte
{
    /// <summary>stats: the whole cube.</summary>
    Cube,

    /// <summary>stats server: this server. Not in memcached.</summary>
    Server,

    /// <summary>stats settings.</summary>
    Settings,

    /// <summary>stats items.</summary>
    Items,

    /// <summary>stats slabs.</summary>
    Slabs,

    /// <summary>stats sizes.</summary>
    Sizes,

    /// <summary>stats sizes_enable.</summary>
    SizesEnable,

    /// <summary>stats sizes_disable.</summary>
    SizesDisable,

    /// <summary>stats conns.</summary>
    Connections,

    /// <summary>stats detail dump.</summary>
    DetailDump,

    /// <summary>stats detail on.</summary>
    DetailOn,

    /// <summary>stats detail off.</summary>
    DetailOff,

    /// <summary>stats cachedump.</summary>
    Dump,

    /// <summary>stats reset.</summary>
    Reset,
}
