namespace CamCube.Services.Cache.Memcached.Settings;

/// <summary>Which of memcached's protocols clients may speak; the names are those of its command line.</summary>
public enum MemcachedProtocol
{
    /// <summary>Both: the first byte of a connection tells.</summary>
    Auto,

    /// <summary>Text and meta commands only.</summary>
    Ascii,

    /// <summary>Binary only; a client that says something else is closed.</summary>
    Binary,
}
