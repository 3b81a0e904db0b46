namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>How a command is answered when its work is done.</summary>
internal enum SlotAnswer : byte
{
    /// <summary>With a line known from the beginning.</summary>
    Line,

    /// <summary>With a line known from the beginning, and the end of the connection.</summary>
    LastLine,

    /// <summary>With a value, or nothing; one key of a get.</summary>
    Value,

    /// <summary>As set, add, replace, append, prepend and cas.</summary>
    Stored,

    /// <summary>As delete.</summary>
    Deleted,

    /// <summary>As touch.</summary>
    Touched,

    /// <summary>As incr and decr.</summary>
    Number,

    /// <summary>As flush_all.</summary>
    Flushed,

    /// <summary>As cache_memlimit.</summary>
    MemoryLimit,

    /// <summary>With text collected in the slot.</summary>
    Text,

    /// <summary>With the counts of <c>stats detail</c> at the moment of the answer.</summary>
    Details,

    /// <summary>As mg.</summary>
    MetaGet,

    /// <summary>As ms.</summary>
    MetaStored,

    /// <summary>As md.</summary>
    MetaDeleted,

    /// <summary>As ma.</summary>
    MetaNumber,

    /// <summary>As me.</summary>
    MetaFacts,
}
