namespace CamCube.Workers;

/// <summary>How a program ended.</summary>
/// <param name="ExitCode">What it answered; −1 if a signal ended it.</param>
/// <param name="Signal">The signal that ended it; 0 if none did.</param>
/// <param name="Killed">Why it was killed.</param>
/// <param name="ProcessorTime">Its own, and that of those it waited for.</param>
/// <param name="ErrorTail">The last of its standard error (<see cref="ProgramsOptions.ErrorTail"/>): the receiver's
/// own.</param>
/// <param name="ErrorBytes">All of its standard error.</param>
/// <param name="ErrorLineCount">Lines of it.</param>
public sealed record ProgramEnd(
    int ExitCode,
    int Signal,
    ProgramKill Killed,
    TimeSpan ProcessorTime,
    ReadOnlyMemory<byte> ErrorTail,
    long ErrorBytes,
    long ErrorLineCount
)
{
    /// <summary>Whether it ended by itself with code 0.</summary>
    public bool IsSuccess => ExitCode == 0 && Killed == ProgramKill.None;

    /// <summary>How it ended, in words.</summary>
    public override string ToString() =>
        Killed switch
        {
            ProgramKill.Limit => $"went over a limit (signal {Signal})",
            ProgramKill.Disposed => "was killed",
            ProgramKill.Silence => "was killed: it did nothing for too long",
            _ => Signal == 0 ? $"ended with code {ExitCode}" : $"was ended by signal {Signal}",
        };
}
