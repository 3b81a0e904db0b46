using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Cables;

/// <summary>A real host where a library that it is to use is not installed.</summary>
public sealed class MissingLibraryTests
{
    [Fact]
    public async Task Without_libpcap_it_is_said_in_one_line_what_to_install()
    {
        Assert.SkipUnless(
            OperatingSystem.IsLinux() && Environment.UserName == "root",
            "Hiding a file from a process takes root."
        );

        // In a view of the files of its own, where each libpcap is an empty file.
        const string Hide =
            "for file in $(ldconfig -p | sed -n 's/.*libpcap\\.so.* => //p'); do mount --bind /dev/null "
            + "\"$(readlink -f $file)\"; done; exec dotnet \"$@\"";
        ProgramRun run = await ProgramRun.Of(
            "unshare",
            "--mount",
            "bash",
            "-c",
            Hide,
            "bash",
            BuiltPrograms.Find("CamCube.Host"),
            "--Shim=Ethernet",
            "--Ethernet:Via=Pcap",
            "--Shape=1x1x1",
            "--Coordinate=0,0,0",
            "--FrontEndAddress=127.0.0.1",
            $"--Http:Port={HostProcess.FreePorts(1)}",
            $"--FrontEnds:memcached:Port={HostProcess.FreePorts(1)}"
        );
        Assert.Equal(
            (
                2,
                "",
                "CamCube:Shim = 'Ethernet': CamCube:Ethernet:Via is Pcap, but no pcap library was found "
                    + "(libpcap.so, libpcap.so.0, "
                    + "libpcap.so.0.8, libpcap.so.1): install libpcap (Debian: libpcap0.8).\n"
            ),
            (run.ExitCode, run.Output, run.Error)
        );
    }
}
