namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>What a command has done in the cube before it is answered.</summary>
internal enum SlotWork : byte
{
    /// <summary>Nothing: the answer is known.</summary>
    None,

    /// <summary>One operation on one key.</summary>
    Cache,

    /// <summary>Removes all items.</summary>
    FlushAll,

    /// <summary>Changes the memory limit.</summary>
    MemoryLimit,

    /// <summary>Statistics of <see cref="CommandSlot.Group"/>.</summary>
    Statistics,

    /// <summary>Reads the certificates again.</summary>
    Certificates,
}
