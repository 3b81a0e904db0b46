using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Workers;

/// <summary>The program (util-linux) that changes what posix_spawn cannot, and turns into another: whose it is, and
/// that it dies with its parent.</summary>
internal static class Setpriv
{
    /// <summary>Where it is.</summary>
    public const string Path = "/usr/bin/setpriv";

    // Linux counts as the parent the thread that has started it, which here outlives it.
    private static readonly string[] WithParent = ["--pdeathsig", "KILL"];

    // Versions before 2.33 do not know that.
    private static readonly Lazy<bool> KnowsParent = new(() => OperatingSystem.IsLinux() && Try(WithParent));

    /// <summary>Whether it is there.</summary>
    public static bool IsThere => File.Exists(Path);

    /// <summary>What comes before a program: nothing, if there is nothing to change or nobody to do it.</summary>
    /// <param name="options">What else is to change.</param>
    public static string[] Before(string[] options)
    {
        string[] all = KnowsParent.Value ? [.. options, .. WithParent] : options;
        return all.Length == 0 ? [] : [Path, .. all, "--"];
    }

    [SupportedOSPlatform("linux")]
    private static bool Try(string[] options)
    {
        if (!IsThere)
        {
            return false;
        }

        try
        {
            using ChildProcess process = ChildProcess.Start(Path, [.. options, "--", "/bin/true"], []);
            return process.Reap().ExitCode == 0;
        }
        catch (IOException)
        {
            return false;
        }
    }
}
