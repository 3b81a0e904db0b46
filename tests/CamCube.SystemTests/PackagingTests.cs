using CamCube.SystemTests.Cables;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests;

/// <summary>What packaging/ promises.</summary>
public sealed class PackagingTests
{
    private static readonly string Folder = Path.Combine(BuiltPrograms.Root, "packaging");

    [Fact]
    public async Task The_settings_beside_the_unit_are_settings_of_the_host()
    {
        // Taken ports end the run before anything real is opened; a setting that is none would be named too.
        int port = HostProcess.FreePorts(1);
        using var taken = new System.Net.Sockets.TcpListener(System.Net.IPAddress.Loopback, port);
        taken.Start();
        (int exitCode, string output) = await HostProcess.RunToEndAsync(
            port, HostProcess.FreePorts(1), "--settings", Path.Combine(Folder, "systemd", "settings.json"));
        Assert.Equal(2, exitCode);
        string line = Assert.Single(output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains($"port {port} on 127.0.0.1 is taken", line);
    }

    [Fact]
    public async Task Systemd_understands_the_unit()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists("/usr/bin/systemd-analyze"), "systemd-analyze is not there.");

        // It looks for the program, which is not installed here.
        string unit = await File.ReadAllTextAsync(Path.Combine(Folder, "systemd", "camcube.service"), TestContext.Current.CancellationToken);
        string copy = Path.Combine(Directory.CreateTempSubdirectory("camcube-unit-").FullName, "camcube.service");
        await File.WriteAllTextAsync(copy, unit.Replace("/opt/camcube/CamCube.Host", "/bin/true", StringComparison.Ordinal), TestContext.Current.CancellationToken);
        ProgramRun run = await ProgramRun.Of("systemd-analyze", "verify", "--man=no", copy);
        Assert.DoesNotContain("camcube.service", run.Output + run.Error);
        Assert.Equal(0, run.ExitCode);
    }
}
