using System.Diagnostics;

namespace CamCube.SystemTests.Cables;

/// <summary>What some tests need of the machine. Without it they are skipped with the reason, and with
/// <c>CAMCUBE_REQUIRE_ALL=1</c> they fail.</summary>
internal static class RequireAll
{
    private static readonly Lazy<string?> NoTestbed = new(WhyNoTestbed);

    /// <summary>Network namespaces with cables: Linux, root, iproute2.</summary>
    public static void Testbed() => Check(NoTestbed.Value);

    /// <summary>A program that nobody here wrote (tools/install-test-dependencies).</summary>
    public static void Program(string name) =>
        Check(IsInPath(name) ? null : $"the program {name} is not there; tools/install-test-dependencies installs it");

    /// <summary>Skips, or fails, if there is a reason.</summary>
    public static void Check(string? reason)
    {
        if (reason is not null)
        {
            Assert.False(
                Environment.GetEnvironmentVariable("CAMCUBE_REQUIRE_ALL") == "1",
                $"CAMCUBE_REQUIRE_ALL=1, but {reason}."
            );
            Assert.Skip(reason);
        }
    }

    private static string? WhyNoTestbed()
    {
        string? missing =
            !OperatingSystem.IsLinux() ? "network namespaces need Linux"
            : !Environment.IsPrivilegedProcess ? "network namespaces need root"
            : !IsInPath("ip") || !IsInPath("tc") ? "the programs ip and tc (iproute2) are not there"
            : null;
        if (missing is not null)
        {
            return missing;
        }

        using Process process = Process.Start(
            new ProcessStartInfo("unshare", ["--net", "true"]) { RedirectStandardError = true }
        )!;
        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? null : $"a network namespace cannot be made: {error.Trim()}";
    }

    private static bool IsInPath(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(':')
            .Any(folder => File.Exists(Path.Combine(folder, program)));
}
