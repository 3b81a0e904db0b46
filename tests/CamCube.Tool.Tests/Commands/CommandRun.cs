namespace CamCube.Tool.Tests.Commands;

/// <summary>One command line that was run in this process.</summary>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Output">Its standard output.</param>
/// <param name="Error">Its standard error.</param>
internal sealed record CommandRun(int ExitCode, string Output, string Error)
{
    /// <summary>Runs a command line to its end.</summary>
    public static async Task<CommandRun> OfAsync(params string[] arguments)
    {
        using StringWriter output = new() { NewLine = "\n" },
            error = new() { NewLine = "\n" };
        int exitCode = await CamCubeCommandLine.RunAsync(arguments, output, error);
        return new CommandRun(exitCode, output.ToString(), error.ToString());
    }

    /// <summary>The one line that a failed run says, and nothing else.</summary>
    public string OnlyErrorLine()
    {
        Assert.Empty(Output);
        string line = Assert.Single(Error.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.StartsWith("camcube: ", line, StringComparison.Ordinal);
        return line;
    }
}
