using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Diagnostics;

/// <summary>Arguments of the command trace.</summary>
internal sealed record TraceArguments(
    [Description("where the way ends")] Coordinate To,
    [Description("where it begins; this server if not given")] Coordinate? From = null,
    [Description("a service: whether it runs at each hop"), MaxLength(64)] string? Service = null
)
{
    [Description("how long to wait for each answer"), Range(typeof(TimeSpan), "00:00:00.001", "00:01:00")]
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(1);
}
