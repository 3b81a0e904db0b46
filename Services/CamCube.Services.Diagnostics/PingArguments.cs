using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Diagnostics;

/// <summary>Arguments of the command ping.</summary>
internal sealed record PingArguments(
    [Description("servers to ask, in turn"), MaxLength(64)] Coordinate[] To,
    [Description("pings to each; 10,000 in all"), Range(1, PingArguments.Most)] int Count = 4,
    [Description("bytes of body"), Range(0, 65_535)] int Size = 56
)
{
    /// <summary>Pings of one command.</summary>
    public const int Most = 10_000;

    [Description("how long to wait for each answer"), Range(typeof(TimeSpan), "00:00:00.001", "00:01:00")]
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(1);
}
