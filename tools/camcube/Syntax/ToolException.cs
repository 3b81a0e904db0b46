namespace CamCube.Tool.Syntax;

/// <summary>Ends the tool with one line for people and an exit code.</summary>
internal sealed class ToolException(int exitCode, string message) : Exception(message)
{
    /// <summary>One of <see cref="Syntax.ExitCode"/>.</summary>
    public int ExitCode { get; } = exitCode;
}
