using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Diagnostics.Streams;

/// <summary>Settings of the measured streams (<c>CamCube:Services:streams</c>). The same on all servers of a
/// cube.</summary>
public sealed class StreamsOptions
{
    /// <summary>Commands that send from one server at a time, 1 to 1,024. Default 16; more are refused.</summary>
    [Range(1, 1_024)]
    public int Commands { get; set; } = 16;

    /// <summary>Streams of one server, sent and received ones, 1 to 1 Mi. Default 16,384; more are refused.</summary>
    [Range(1, 1 << 20)]
    public int Streams { get; set; } = 16_384;

    /// <summary>Bytes that were sent and have not arrived, 64 KiB to 1 TiB. Default 32 MiB, a claim on the server's
    /// memory, of which each command may use a part: this by <see cref="Commands"/>.</summary>
    [Range(1L << 16, 1L << 40)]
    public long SendMemory { get; set; } = 32L << 20;

    /// <summary>Bytes that others may send and that were not read, 64 KiB to 1 TiB. Default 32 MiB, a claim on the
    /// server's memory.</summary>
    [Range(1L << 16, 1L << 40)]
    public long ReceiveMemory { get; set; } = 32L << 20;

    /// <summary>How long one command sends, 1 ms to 1 h. Default 1 h; then it ends as if its time were over.</summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "01:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan LongestTime { get; set; } = TimeSpan.FromHours(1);

    /// <summary>How long after its time what is under way may still arrive before a command breaks off, 0 to 1 h.
    /// Default 10 s: a reader that reads nothing would hold it for ever.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "01:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan Grace { get; set; } = TimeSpan.FromSeconds(10);
}
