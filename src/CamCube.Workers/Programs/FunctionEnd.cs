namespace CamCube.Workers;

/// <summary>What a function does in the place of a program.</summary>
/// <param name="Output">Its output; it is not changed any more.</param>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Errors">Its standard error.</param>
/// <param name="Cost">How long it takes: its output and its end come then.</param>
/// <param name="Signal">The signal that ends it; 0: none.</param>
public readonly record struct FunctionEnd(
    ReadOnlyMemory<byte> Output,
    int ExitCode = 0,
    ReadOnlyMemory<byte> Errors = default,
    TimeSpan Cost = default,
    int Signal = 0
)
{
    /// <summary>One that never ends: it says nothing until it is killed.</summary>
    public static FunctionEnd Never { get; } = new(default, Cost: TimeSpan.MaxValue);
}
