using System.ComponentModel;
using System.Diagnostics;

namespace CamCube.Testbed;

/// <summary>Runs other people's programs to their end.</summary>
public static class Programs
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>Runs a program with some lines as its input. Answers its output.</summary>
    /// <exception cref="TestbedException">It is not there, failed or did not end.</exception>
    public static string Run(string program, IReadOnlyList<string> arguments, string input = "")
    {
        (int exitCode, string output, string error) = Try(program, arguments, input);
        return exitCode == 0
            ? output
            : throw new TestbedException(
                $"{program} {string.Join(' ', arguments)} failed (exit code {exitCode}): {OneLine(error)}"
            );
    }

    /// <summary>Has <c>ip</c> or <c>tc</c> follow many orders, a line each.</summary>
    /// <exception cref="TestbedException">It failed at one of them.</exception>
    public static void Batch(string program, IReadOnlyList<string> arguments, string orders) =>
        Run(program, [.. arguments, "-batch", "-"], orders);

    /// <summary>Runs a program, whatever its exit code.</summary>
    public static (int ExitCode, string Output, string Error) Try(
        string program,
        IReadOnlyList<string> arguments,
        string input = ""
    )
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Start(start);
        Task<string> output = process.StandardOutput.ReadToEndAsync(),
            error = process.StandardError.ReadToEndAsync();
        try
        {
            process.StandardInput.Write(input);
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It ended before it had read all; its exit code says the rest.
        }

        if (!process.WaitForExit(Patience))
        {
            process.Kill(entireProcessTree: true);
            throw new TestbedException(
                $"{program} {string.Join(' ', arguments)} did not end within {Patience.TotalSeconds} s."
            );
        }

        return (process.ExitCode, output.GetAwaiter().GetResult(), error.GetAwaiter().GetResult());
    }

    /// <summary>Starts a program, or says in a line that it is not there.</summary>
    public static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception e)
        {
            throw new TestbedException($"{start.FileName} cannot be started: {e.Message}.");
        }
        catch (FileNotFoundException)
        {
            // Programs are looked for in the working folder first.
            throw new TestbedException(
                $"{start.FileName} cannot be started: the working folder was deleted; change to another one."
            );
        }
    }

    private static string OneLine(string text) =>
        string.Join(
            "; ",
            text.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries).Take(4)
        );
}
