using System.Reflection.PortableExecutable;
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

    /// <summary>The loop of a server must not stand still while the code of its first packets is compiled.</summary>
    [Theory]
    [InlineData("CamCube.Host", "CamCube.Runtime")]
    [InlineData("CamCube.Host", "services/cache/CamCube.Services.Cache")]
    [InlineData("camcube", "camcube")]
    [InlineData("camcube", "CamCube.Services.Cache")]
    public void Programs_of_a_release_build_are_compiled_ahead(string project, string assembly)
    {
        bool release = BuiltPrograms.Find(project).EndsWith($"release{Path.DirectorySeparatorChar}{project}.dll", StringComparison.Ordinal);
        using var image = new PEReader(File.OpenRead(BuiltPrograms.Find(project, assembly)));
        Assert.Equal(release, image.PEHeaders.CorHeader!.ManagedNativeHeaderDirectory.Size > 0);
    }

    [Fact]
    public async Task Systemd_understands_the_unit()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists("/usr/bin/systemd-analyze"), "systemd-analyze is not there.");

        // It looks for the program, which is not installed here.
        string unit = await File.ReadAllTextAsync(Path.Combine(Folder, "systemd", "camcube.service"), TestContext.Current.CancellationToken);
        string folder = Directory.CreateTempSubdirectory("camcube-unit-").FullName;
        try
        {
            string copy = Path.Combine(folder, "camcube.service");
            await File.WriteAllTextAsync(copy, unit.Replace("/opt/camcube/CamCube.Host", "/bin/true", StringComparison.Ordinal), TestContext.Current.CancellationToken);
            ProgramRun run = await ProgramRun.Of("systemd-analyze", "verify", "--man=no", copy);
            Assert.DoesNotContain("camcube.service", run.Output + run.Error);
            Assert.Equal(0, run.ExitCode);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
