using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Workloads.Messages;

/// <summary>Arguments of the command send of <see cref="RoamingService"/>.</summary>
internal sealed record RoamingSendArguments(
    [Description("name of the endpoint"), MaxLength(64)] string To,
    [Description("endpoints that send"), Range(1, 100)] int Count = 1,
    [Description("sends bursts, bodies that are none, to nobody, and too much")] bool Hostile = false
)
{
    [Description("pause of each between messages, or bursts"), Range(typeof(TimeSpan), "00:00:00.001", "00:01:00")]
    public TimeSpan Every { get; init; } = TimeSpan.FromMilliseconds(10);

    [Description("how long; 0s: none begins"), Range(typeof(TimeSpan), "00:00:00", "01:00:00")]
    public TimeSpan For { get; init; } = TimeSpan.FromMinutes(1);
}
