using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Workloads.Messages;

/// <summary>Arguments of the command open of <see cref="RoamingService"/>.</summary>
internal sealed record RoamingOpenArguments(
    [Description("name of the endpoint"), MaxLength(64)] string Name,
    [Description("waits until the endpoint of this name moves here")] bool Standby = false,
    [Description("messages that may wait"), Range(1, 65_536)] int Buffers = 8_192
)
{
    [Description("how long to ask for a name that another has"), Range(typeof(TimeSpan), "00:00:00", "01:00:00")]
    public TimeSpan Patience { get; init; } = TimeSpan.FromMinutes(2);
}
