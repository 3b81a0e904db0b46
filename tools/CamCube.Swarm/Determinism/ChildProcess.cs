using System.Diagnostics;
using System.Text.Json;

namespace CamCube.Swarm.Determinism;

/// <summary>Runs scenarios in processes of their own: the same program with the command <c>sim
/// determinism-run</c>.</summary>
public static class ChildProcess
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    /// <summary>Runs one to its end. Answers its result and, if they were asked for, its events, one line of JSON
    /// each.</summary>
    /// <exception cref="SwarmException">The process failed or did not end.</exception>
    /// <exception cref="OperationCanceledException">Cancelled; the process is gone.</exception>
    public static async Task<(RunResult Result, IReadOnlyList<string> Events)> RunAsync(
        RunRequest request,
        CancellationToken cancel
    )
    {
        // Started as "dotnet camcube.dll", as a program of its own, or as an installed tool.
        string program = Environment.ProcessPath ?? "camcube";
        bool isDotnet = Path.GetFileNameWithoutExtension(program) == "dotnet";
        string[] arguments = ["sim", "determinism-run", SwarmJson.Of(request)];
        var start = new ProcessStartInfo(
            program,
            isDotnet ? [Environment.GetCommandLineArgs()[0], .. arguments] : arguments
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start) ?? throw new SwarmException($"{program} does not start.");
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(Patience);
        try
        {
            Task<string> error = process.StandardError.ReadToEndAsync(limit.Token);
            string output = await process.StandardOutput.ReadToEndAsync(limit.Token);
            await process.WaitForExitAsync(limit.Token);
            string[] lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
            if (process.ExitCode != 0 || lines.Length == 0)
            {
                throw new SwarmException($"the run of seed {request.Seed} failed: {(await error).Trim()}");
            }

            return (JsonSerializer.Deserialize<RunResult>(lines[0], SwarmJson.Options)!, lines[1..]);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            cancel.ThrowIfCancellationRequested();
            throw new SwarmException(
                $"the run of seed {request.Seed} did not end within {Patience.TotalMinutes} minutes."
            );
        }
    }
}
