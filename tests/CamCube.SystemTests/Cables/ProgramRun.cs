using System.Diagnostics;

namespace CamCube.SystemTests.Cables;

/// <summary>One run of somebody's program.</summary>
internal sealed record ProgramRun(int ExitCode, string Output, string Error)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>Runs a program to its end.</summary>
    public static async Task<ProgramRun> Of(string program, params string[] arguments)
    {
        using Process process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true }
        )!;
        Task<string> output = process.StandardOutput.ReadToEndAsync(),
            error = process.StandardError.ReadToEndAsync();
        try
        {
            await process.WaitForExitAsync().WaitAsync(Patience);
        }
        catch (TimeoutException)
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"{program} {string.Join(' ', arguments)} still ran after {Patience}.");
        }

        return new ProgramRun(process.ExitCode, await output, await error);
    }

    /// <summary>Runs a program that must succeed. Answers its output.</summary>
    public static async Task<string> Must(string program, params string[] arguments)
    {
        ProgramRun run = await Of(program, arguments);
        Assert.True(
            run.ExitCode == 0,
            $"{program} {string.Join(' ', arguments)}: exit code {run.ExitCode}: {run.Output}{run.Error}"
        );
        return run.Output;
    }
}
