using System.ComponentModel.DataAnnotations;
using CamCube.FrontEnds.Settings;

namespace CamCube.Services.Cache.Memcached.Settings;

/// <summary>
/// Limits of one server's memcached front end (<c>CamCube:FrontEnds:memcached</c>). Every limit is per server; an
/// in-process cube has one front end per server. The host checks the ranges.
/// </summary>
public sealed class MemcachedFrontEndOptions : ConnectionOptions
{
    /// <summary>
    /// Keys a client may have in work at one time, over several commands or the keys of one get. Default 32. More hides
    /// the cube's latency better; the most a client can hold is this times the largest value.
    /// </summary>
    [Range(1, 65_536)]
    public int MaxPipelined { get; set; } = 32;

    /// <summary>
    /// Bytes of values a client may have in work at one time, where one value is always allowed. Default 4 MiB. The
    /// size of a value to be read is not known before: it is estimated from the client's earlier reads, so that a
    /// sudden change from small to large values can pass the limit once.
    /// </summary>
    [Range(1, int.MaxValue)]
    public int MaxBufferedBytes { get; set; } = 4 << 20;

    /// <summary>
    /// Longest command line in bytes. Default 1 MiB. Only get and gets with many keys come near it; other lines end at
    /// 2,048 bytes as in memcached. A longer one is told <c>CLIENT_ERROR line too long</c> and the client is closed.
    /// </summary>
    [Range(2048, 1 << 30)]
    public int MaxLineLength { get; set; } = 1 << 20;

    /// <summary>Which protocols clients may speak. Default Auto. With an <see cref="AuthFile"/> it is text whatever is
    /// said here, and Binary is refused.</summary>
    public MemcachedProtocol Protocol { get; set; }

    /// <summary>
    /// File with users and passwords, a line <c>user:password</c> each. Default none: whoever reaches the port is
    /// served. With it clients must send <c>set x 0 0 N</c> with <c>user password</c> first. They go over the network
    /// as they are.
    /// </summary>
    public string AuthFile { get; set; } = "";

    /// <summary>Whether clients may empty the cache with flush_all. Default true.</summary>
    public bool AllowFlushAll { get; set; } = true;

    /// <summary>
    /// Whether <c>stats cachedump</c> lists keys. Default false: clients then know only the keys that they know. A list
    /// is at most 2 MiB and looks at 65,536 items at most.
    /// </summary>
    public bool AllowDump { get; set; }

    /// <summary>What ends a key's prefix for <c>stats detail</c>. Default a colon.</summary>
    [StringLength(1, MinimumLength = 1)]
    public string PrefixDelimiter { get; set; } = ":";

    /// <summary>Whether <c>stats detail</c> counts from the start. Default false. It costs a lock and a look-up per
    /// command.</summary>
    public bool CountPrefixes { get; set; }

    /// <summary>
    /// Commands of one client in one turn of the server's loop; the rest waits until others had theirs, counted as
    /// <c>conn_yields</c>. Default 1,024. Fewer: shorter waits beside clients that send much at once, and more turns
    /// for those.
    /// </summary>
    [Range(1, 1_000_000)]
    public int CommandsPerTurn { get; set; } = 1_024;
}
