namespace CamCube.Memcached;

/// <summary>What a memcached command line prints instead of running.</summary>
internal enum MemcachedPrint
{
    /// <summary>Nothing: it runs.</summary>
    None,

    /// <summary>-h.</summary>
    Help,

    /// <summary>-V.</summary>
    Version,

    /// <summary>-i.</summary>
    License,
}
