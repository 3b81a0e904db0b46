using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Diagnostics.Streams;

/// <summary>Arguments of the command send.</summary>
internal sealed record SendArguments(
    [Description("the server that reads")] Coordinate To,
    [
        Description("bytes of all streams together; 100,000,000 if neither bytes nor for is given"),
        Range(1, SendArguments.MostBytes)
    ]
        long? Bytes = null,
    [Description("streams"), Range(1, SendArguments.MostStreams)] int Count = 1,
    [Description("all, one, or a link that leads there")] string Paths = "all"
)
{
    /// <summary>Bytes of one command.</summary>
    public const long MostBytes = 100_000_000_000_000;

    /// <summary>Streams of one command.</summary>
    public const int MostStreams = 100_000;

    /// <summary>Bytes where nobody says how many.</summary>
    public const long UsualBytes = 100_000_000;

    [Description("counts and writes no more after this time"), Range(typeof(TimeSpan), "00:00:00.001", "01:00:00")]
    public TimeSpan? For { get; init; }

    [Description("whether the bytes are compared, by SHA-256 on both sides")]
    public bool Verify { get; init; }

    [Description("a number by which the command progress is asked about it; 0: none")]
    public long Run { get; init; }
}
