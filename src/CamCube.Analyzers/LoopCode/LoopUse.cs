using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers.LoopCode;

/// <summary>A place in code.</summary>
/// <param name="rule">The rule that it breaks, if the loop (<see cref="Rules.OffLoop"/>: another thread) gets
/// there.</param>
/// <param name="place">Where.</param>
/// <param name="what">What is used, for people.</param>
/// <param name="advice">What to do instead.</param>
internal sealed class LoopUse(DiagnosticDescriptor rule, Location place, string what, string advice)
{
    public DiagnosticDescriptor Rule => rule;

    public Location Place => place;

    public string What => what;

    public string Advice => advice;

    /// <summary>Which thread gets there.</summary>
    public RunBy Thread { get; set; }
}
