using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Workloads.Load;

/// <summary>Arguments of the command load of <see cref="RoutedLoadService"/>.</summary>
internal sealed record RoutedLoadArguments(
    [Description("neighbours' keys in each step; 0 is base routing"), Range(0, 3)] int Keys = 0,
    [Description("packets that this server adds"), Range(0, 1_000)] int Packets = 64,
    [Description("bytes of body; 1448 if not given, or what fits"), Range(0, 65_535)] int? Size = null
)
{
    /// <summary>Bytes of body where nobody says how many.</summary>
    public const int UsualSize = 1_448;

    [Description("how long, from now; 0s ends it"), Range(typeof(TimeSpan), "00:00:00", "01:00:00")]
    public TimeSpan For { get; init; } = TimeSpan.FromSeconds(10);
}
