using System.Diagnostics;

namespace CamCube.SystemTests.CommandLine;

/// <summary>One run of the built tool as a process.</summary>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Output">Its standard output.</param>
/// <param name="Error">Its standard error.</param>
internal sealed record ToolRun(int ExitCode, string Output, string Error)
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    /// <summary>Runs the tool to its end.</summary>
    public static Task<ToolRun> Of(params string[] arguments) => With([], arguments);

    /// <summary>Runs the tool in a folder.</summary>
    public static Task<ToolRun> In(string folder, params string[] arguments) => With([], arguments, folder);

    /// <summary>Runs the tool with some environment variables.</summary>
    public static Task<ToolRun> With(Dictionary<string, string> environment, params string[] arguments) =>
        With(environment, arguments, Environment.CurrentDirectory);

    private static async Task<ToolRun> With(Dictionary<string, string> environment, string[] arguments, string folder)
    {
        string tool = BuiltPrograms.Find("camcube");
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        var start = new ProcessStartInfo(dotnet, [tool, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        start.Environment.Remove("CAMCUBE_HOST");
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync(),
            error = process.StandardError.ReadToEndAsync();
        using var limit = new CancellationTokenSource(Patience);
        try
        {
            await process.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException(
                $"camcube {string.Join(' ', arguments)} still ran after {Patience}: {await output} {await error}"
            );
        }

        return new ToolRun(process.ExitCode, await output, await error);
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
