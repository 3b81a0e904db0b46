using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Diagnostics;

/// <summary>Settings of diagnostics (<c>CamCube:Services:diagnostics</c>).</summary>
public sealed class DiagnosticsOptions
{
    /// <summary>Traces that a server has under way at a time for all who ask it, 1 to 4,096. Default 64. More are
    /// refused: each holds a question, and may keep a large packet on its way.</summary>
    [Range(1, 4_096)]
    public int TraceLimit { get; set; } = 64;
}
