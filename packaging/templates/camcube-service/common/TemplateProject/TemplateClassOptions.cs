using System.ComponentModel.DataAnnotations;

namespace TemplateSpace;

/// <summary>Settings: <c>CamCube:Services:template-service</c>.</summary>
public sealed class TemplateClassOptions
{
    /// <summary>How often a server is asked before it counts as silent, 1 to 100. Default 3.</summary>
    [Range(1, 100)]
    public int Attempts { get; set; } = 3;

    /// <summary>How long to wait for an answer, 1 ms to 1 min. Default 100 ms.</summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan Patience { get; set; } = TimeSpan.FromMilliseconds(100);
}
