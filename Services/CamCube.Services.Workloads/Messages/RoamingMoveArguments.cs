using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Workloads.Messages;

/// <summary>Arguments of the command move of <see cref="RoamingService"/>.</summary>
internal sealed record RoamingMoveArguments(
    [Description("name of the endpoint"), MaxLength(64)] string Name,
    [Description("where an endpoint of this name waits")] Coordinate To
)
{
    [Description("how long to try"), Range(typeof(TimeSpan), "00:00:00.001", "00:01:00")]
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(5);
}
