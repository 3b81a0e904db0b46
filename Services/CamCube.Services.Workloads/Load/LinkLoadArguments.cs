using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Workloads.Load;

/// <summary>Arguments of the command load of a service that loads all links.</summary>
internal sealed record LinkLoadArguments(
    [Description("bytes of body; 1472 if not given, or what fits"), Range(0, 65_535)] int? Size = null
)
{
    /// <summary>Bytes of body where nobody says how many.</summary>
    public const int UsualSize = 1_472;

    [Description("how long; 0s ends it"), Range(typeof(TimeSpan), "00:00:00", "01:00:00")]
    public TimeSpan For { get; init; } = TimeSpan.FromSeconds(10);
}
