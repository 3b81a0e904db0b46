using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>What a command line of the text protocol asks for.</summary>
internal enum TextVerb : byte
{
    /// <summary>A line that is known already.</summary>
    Reply,

    /// <summary>get, gets, gat, gats.</summary>
    Get,

    /// <summary>set, add, replace, append, prepend, cas: a data block follows.</summary>
    Store,

    /// <summary>delete.</summary>
    Delete,

    /// <summary>incr, decr.</summary>
    Arithmetic,

    /// <summary>touch.</summary>
    Touch,

    /// <summary>flush_all.</summary>
    FlushAll,

    /// <summary>stats, of <see cref="TextCommand.Group"/>.</summary>
    Statistics,

    /// <summary>verbosity; the level is <see cref="TextCommand.Delta"/>.</summary>
    Verbosity,

    /// <summary>refresh_certs.</summary>
    RefreshCertificates,

    /// <summary>shutdown; the answer if its mode is none is <see cref="TextCommand.Reply"/>, graceful is a
    /// <see cref="TextCommand.Delta"/> of 1.</summary>
    Shutdown,

    /// <summary>cache_memlimit; the megabytes are <see cref="TextCommand.Delta"/>.</summary>
    MemoryLimit,

    /// <summary>quit, or a line that no memcached client sends.</summary>
    Quit,
}
