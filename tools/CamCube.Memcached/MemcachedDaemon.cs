using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace CamCube.Memcached;

/// <summary>-d: the program starts itself again in the background, and returns when that serves clients.</summary>
internal static partial class MemcachedDaemon
{
    private const string Mark = "CAMCUBE_MEMCACHED_DAEMON";
    private const string Ready = "ready";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <summary>Whether this process is the one in the background.</summary>
    public static bool IsChild { get; } = Environment.GetEnvironmentVariable(Mark) is not null;

    /// <summary>Starts the process in the background. Answers the exit code: 0 when it serves.</summary>
    public static async Task<int> StartAsync(IReadOnlyList<string> arguments, TextWriter errors)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        string program = Environment.GetCommandLineArgs()[0];
        if (program.EndsWith(".dll", StringComparison.OrdinalIgnoreCase))
        {
            start.ArgumentList.Add(program);
        }

        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        start.Environment[Mark] = "1";
        using Process child =
            Process.Start(start) ?? throw new MemcachedException("failed to daemon() in order to daemonize");
        using var limit = new CancellationTokenSource(Patience);
        try
        {
            while (await child.StandardOutput.ReadLineAsync(limit.Token) is { } line)
            {
                if (line == Ready)
                {
                    return 0;
                }

                // What went wrong and does not matter enough.
                errors.WriteLine(line);
            }

            errors.Write(await child.StandardError.ReadToEndAsync(limit.Token));
            await child.WaitForExitAsync(limit.Token);
            return child.ExitCode;
        }
        catch (OperationCanceledException)
        {
            child.Kill();
            errors.WriteLine(
                $"failed to daemonize: it did not serve clients within {Patience.TotalSeconds:0} seconds."
            );
            return MemcachedProgram.Refused;
        }
    }

    /// <summary>In the background, when ports are open: leaves the session, writes the process id, and tells who
    /// started it, also what did not work of that.</summary>
    public static void Detach(string? pidFile)
    {
        try
        {
            if (pidFile is not null)
            {
                File.WriteAllText(pidFile, Environment.ProcessId.ToString(CultureInfo.InvariantCulture) + "\n");
            }
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            Console.Out.WriteLine($"Could not open the pid file {pidFile} for writing: {e.Message}");
        }

        if (!OperatingSystem.IsWindows())
        {
            _ = setsid();
        }

        Console.Out.WriteLine(Ready);
        Console.Out.Flush();

        // Nobody reads any more.
        Console.SetOut(TextWriter.Null);
        Console.SetError(TextWriter.Null);
    }

    /// <summary>At the end. If it cannot be it stays, and there is nobody to tell.</summary>
    public static void DeletePidFile(string? pidFile)
    {
        try
        {
            if (pidFile is not null)
            {
                File.Delete(pidFile);
            }
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException) { }
    }

    [LibraryImport("libc")]
    private static partial int setsid();
}
