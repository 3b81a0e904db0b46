using System.ComponentModel.DataAnnotations;
using CamCube.FrontEnds.Settings;

namespace CamCube.Services.KeyValue.Redis.Settings;

/// <summary>
/// Limits of one server's Redis front end (<c>CamCube:FrontEnds:redis</c>). Every limit is per server; an in-process
/// cube has one front end per server. The host checks the ranges.
/// </summary>
public sealed class RedisFrontEndOptions : ConnectionOptions
{
    /// <summary>
    /// Commands a client may have in work at one time; more of a pipeline wait. Default 64. More hides the cube's
    /// latency better.
    /// </summary>
    [Range(1, 65_536)]
    public int MaxPipelined { get; set; } = 64;

    /// <summary>Commands of one client in one turn of the server's loop; the rest waits until others had theirs.
    /// Default 1,024.</summary>
    [Range(1, 1_000_000)]
    public int CommandsPerTurn { get; set; } = 1_024;

    /// <summary>Longest argument of a command, and so longest value, in bytes, 1 KiB to 512 MiB (Redis'
    /// <c>proto-max-bulk-len</c>). Default 64 MiB. A value that is changed by what it is lies in memory meanwhile, once
    /// as it was and once as it comes out.</summary>
    [Range(1 << 10, 512 << 20)]
    public int MaxValueLength { get; set; } = 64 << 20;

    /// <summary>Bytes of all arguments of a command, 64 KiB to 1 GiB. Default 80 MiB. A client that sends more is told
    /// so and closed.</summary>
    [Range(64 << 10, 1 << 30)]
    public int MaxRequestBytes { get; set; } = 80 << 20;

    /// <summary>Arguments of a command. Default 1,048,576, as Redis'.</summary>
    [Range(16, 1 << 24)]
    public int MaxArguments { get; set; } = 1 << 20;

    /// <summary>Longest answer to one command or transaction in bytes, 1 MiB to 1 GiB. Default 128 MiB. What
    /// would be longer is refused, and nothing is changed; so is a GET of a value that is.</summary>
    [Range(1 << 20, 1 << 30)]
    public int MaxAnswerLength { get; set; } = 128 << 20;

    /// <summary>Bytes of requests that lie in memory, and of values and answers over 1 MiB, until they are sent, of all
    /// clients of this server, 1 MiB to 64 GiB. Default 256 MiB. Who would bring more is told <c>OOM</c> and closed;
    /// who asks for more is told so.</summary>
    [Range(1L << 20, 64L << 30)]
    public long MaxBufferedBytes { get; set; } = 256L << 20;

    /// <summary>
    /// Bytes of answers that a client may have in work at one time, where one command is always allowed, 64 KiB to 1
    /// GiB. Default 4 MiB. How long an answer will be is not known before: it is estimated from the client's earlier
    /// ones, so that a sudden change from small to large values can pass the limit once.
    /// </summary>
    [Range(64 << 10, 1 << 30)]
    public int MaxAnswerBytes { get; set; } = 4 << 20;

    /// <summary>Commands that a client may queue between MULTI and EXEC. Default 65,536.</summary>
    [Range(1, 1 << 24)]
    public int MaxQueued { get; set; } = 65_536;

    /// <summary>Keys that a client may WATCH. Default 16,384: each is asked for, and held.</summary>
    [Range(1, 1 << 24)]
    public int MaxWatched { get; set; } = 16_384;

    /// <summary>Keys that one command (MSET and its kin) or transaction, with what it watches, may be about together.
    /// Default 1,024: all are read and compared in one piece. How many may change is the store's (<c>BatchSteps</c>).
    /// Commands that are done key by key have no such limit.</summary>
    [Range(1, 1 << 20)]
    public int MaxTogether { get; set; } = 1_024;

    /// <summary>Keys that KEYS may answer with. Default 1,000,000. If there are more, it says so and answers with none:
    /// SCAN lists any number.</summary>
    [Range(1, int.MaxValue)]
    public int MaxListed { get; set; } = 1_000_000;

    /// <summary>Scans that clients of this server may have open. Default 4,096. Beyond, the one that was asked for the
    /// longest time ago is forgotten, and its cursor refused.</summary>
    [Range(1, 1 << 20)]
    public int MaxScans { get; set; } = 4_096;

    /// <summary>Longest CLIENT PAUSE in seconds, 0 to 86,400. Default 3,600. 0: it is refused.</summary>
    [Range(0, 86_400)]
    public int MaxPause { get; set; } = 3_600;

    /// <summary>How often a change by what is there is worked out again because others changed the key meanwhile,
    /// before the client is told <c>TRYAGAIN</c>. Default 10,000.</summary>
    [Range(1, int.MaxValue)]
    public int MaxAttempts { get; set; } = 10_000;

    /// <summary>
    /// File with users, a line <c>name:rights:password</c> each; rights are <c>read</c>, <c>write</c> (reads too) or
    /// <c>control</c> (everything). Default none: whoever reaches the port may read and write. The user of
    /// <c>AUTH password</c> is <c>default</c>.
    /// </summary>
    public string UserFile { get; set; } = "";

    /// <summary>Whether FLUSHDB and FLUSHALL are there where there is no <see cref="UserFile"/>. Default false. With
    /// one they are there for who may control.</summary>
    public bool AllowFlush { get; set; }
}
