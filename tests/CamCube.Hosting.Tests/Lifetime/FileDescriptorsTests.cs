using CamCube.Hosting.Lifetime;
using CamCube.Hosting.Settings;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Lifetime;

public sealed class FileDescriptorsTests
{
    [Fact]
    public void A_limit_that_is_too_low_for_the_shape_is_named()
    {
        Mistakes mistakes = new();

        FileDescriptors.Check(new TorusShape(8, 8, 8), 512, 1, 1_024, mistakes);

        Assert.Equal(
            [
                "CamCube:Shape = '8x8x8': 512 servers need about 3840 file descriptors and this process may have 1024. "
                    + "Raise the limit (ulimit -n 3840) or choose a smaller shape.",
            ],
            mistakes.Lines
        );
    }

    [Fact]
    public void A_limit_that_is_enough_or_unknown_is_fine()
    {
        Mistakes mistakes = new();

        FileDescriptors.Check(new TorusShape(3, 3, 3), 27, 1, 1_024, mistakes);
        FileDescriptors.Check(new TorusShape(8, 8, 8), 512, 1, null, mistakes);
        FileDescriptors.Check(new TorusShape(8, 8, 8), 512, 1, long.MaxValue, mistakes);

        Assert.Empty(mistakes.Lines);
    }

    [Fact]
    public async Task A_host_does_not_start_with_too_few()
    {
        using TestFolder folder = new();
        LineWriter errors = new();

        int exit = await HostProgram.RunAsync(
            new HostSetup
            {
                Arguments = ["--shape=1x1x1", $"--Http:Port={FreePorts.Take(1)}"],
                Cubes = [new FakeCubeFactory()],
                Folder = folder.Path,
                Errors = errors,
                FileLimit = () => 100,
            }
        );

        Assert.Equal(2, exit);
        Assert.StartsWith(
            "CamCube:Shape = '1x1x1': 1 servers need about 258 ",
            Assert.Single(errors.Lines),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void The_limit_of_this_process_is_known_on_linux()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "getrlimit is asked on Linux only.");

        Assert.InRange(FileDescriptors.Limit()!.Value, 256, long.MaxValue);
    }
}
