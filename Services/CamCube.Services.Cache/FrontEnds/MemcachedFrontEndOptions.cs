using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// Limits of one server's memcached front end (<c>CamCube:FrontEnds:memcached</c>). Every limit is per server; an
/// in-process cube has one front end per server. The host checks the ranges.
/// </summary>
public sealed class MemcachedFrontEndOptions
{
    /// <summary>
    /// Clients connected at one time; the next is told <c>ERROR Too many open connections</c> and closed. Default
    /// 1,024. An idle client costs about 18 KiB.
    /// </summary>
    [Range(1, 1_000_000)]
    public int MaxConnections { get; set; } = 1024;

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

    /// <summary>Connections the operating system keeps until they are accepted. Default 1,024, as memcached.</summary>
    [Range(1, 1_000_000)]
    public int Backlog { get; set; } = 1024;
}
