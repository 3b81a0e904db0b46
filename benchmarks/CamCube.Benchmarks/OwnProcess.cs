using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using CamCube.Testbed;

namespace CamCube.Benchmarks;

/// <summary>A program that a benchmark has started, killed with this object.</summary>
internal sealed class OwnProcess : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private readonly Process _process;

    private OwnProcess(Process process) => _process = process;

    /// <summary>Its number.</summary>
    public int Id => _process.Id;

    /// <summary>Starts a program; what it says goes nowhere.</summary>
    public static OwnProcess Start(string program, params IReadOnlyList<string> arguments)
    {
        Process process = Programs.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true }
        );
        process.OutputDataReceived += static (_, _) => { };
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return new OwnProcess(process);
    }

    /// <summary>Runs a program to its end, however long that takes. Answers its output.</summary>
    /// <exception cref="TestbedException">It is not there, or failed.</exception>
    public static async Task<string> RunAsync(string program, IReadOnlyList<string> arguments)
    {
        using Process process = Programs.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true }
        );
        Task<string> output = process.StandardOutput.ReadToEndAsync(),
            error = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0
            ? await output
            : throw new TestbedException(
                $"{program} failed (exit code {process.ExitCode}): {(await error).Trim().ReplaceLineEndings(" ")}"
            );
    }

    /// <summary>Whether a program can be started here.</summary>
    public static bool IsInstalled(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(Path.PathSeparator)
            .Append("/usr/sbin")
            .Any(folder => File.Exists(Path.Combine(folder, program)));

    /// <summary>A port of loopback that nobody has now.</summary>
    public static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    /// <summary>Waits until something is so.</summary>
    public static async Task UntilAsync(string what, Func<Task<bool>> isSo)
    {
        long began = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                if (await isSo())
                {
                    return;
                }
            }
            catch (Exception e) when (e is HttpRequestException or IOException or OperationCanceledException)
            {
                // Not yet.
            }

            if (Stopwatch.GetElapsedTime(began) > Patience)
            {
                throw new TestbedException($"{what}: not within {Patience.TotalSeconds} s.");
            }

            await Task.Delay(50);
        }
    }

    /// <summary>Asks it to end, and waits until it has, or for too long: what it made for the time that it runs is gone
    /// then.</summary>
    public void Stop()
    {
        const int Terminate = 15;
        if (ProcessMark.Of(Id) is { } mark && ProcessSignals.Send(mark, Terminate))
        {
            _process.WaitForExit(Patience);
        }
    }

    /// <summary>Kills it, as a power failure would.</summary>
    public void Kill() => _process.Kill();

    public void Dispose()
    {
        try
        {
            // Whoever its children are: they hold what it writes to.
            _process.Kill(entireProcessTree: true);
        }
        catch (InvalidOperationException)
        {
            // It has ended.
        }

        _process.WaitForExit();
        _process.Dispose();
    }
}
