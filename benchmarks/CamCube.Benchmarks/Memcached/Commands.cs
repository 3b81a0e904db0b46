using System.Diagnostics;

namespace CamCube.Benchmarks.Memcached;

/// <summary>Programs that are run to their end.</summary>
internal static class Commands
{
    /// <summary>What a program prints; it must end well.</summary>
    public static string Read(string program, IEnumerable<string> arguments)
    {
        using Process process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true }
        )!;
        string text = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? text
            : throw new InvalidOperationException($"{program} ended with {process.ExitCode}");
    }
}
