namespace CamCube.Linux;

/// <summary>How a process ended, and what it used.</summary>
/// <param name="ExitCode">What it answered; −1 if a signal ended it.</param>
/// <param name="Signal">The signal that ended it; 0 if none did.</param>
/// <param name="ProcessorTime">Its own, and that of those it waited for.</param>
/// <remarks>Not how much memory it had: what Linux answers (ru_maxrss) is at least what its starter had when it started
/// it.</remarks>
public readonly record struct ChildEnd(int ExitCode, int Signal, TimeSpan ProcessorTime)
{
    /// <inheritdoc/>
    public override string ToString() => Signal == 0 ? $"ended with code {ExitCode}" : $"was ended by signal {Signal}";
}
