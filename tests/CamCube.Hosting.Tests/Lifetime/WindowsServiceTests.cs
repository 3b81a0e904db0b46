using CamCube.Hosting.Lifetime.Windows;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Lifetime;

/// <summary>A host under the orders of a Windows service manager, which only Windows itself has; its own calls are thin and not tested
/// here.</summary>
public sealed class WindowsServiceTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    public async Task A_service_runs_answers_and_stops_when_it_is_told(uint order)
    {
        FakeServiceManager manager = new();
        FakeCubeFactory cube = new();
        await using TestHost host = TestHost.Begin(cube, ["--shape=1x1x1", "--WindowsService=true"], ports: 1, services: manager);

        Assert.Equal("Running 0 0", await manager.ReportAsync());
        await host.Output.LineAsync("CamCube ready").SoonAsync();
        Assert.Equal(0u, manager.Handler!(ServiceOrder.Interrogate));
        Assert.Equal("Running 0 0", await manager.ReportAsync());
        Assert.Equal(120u, manager.Handler((ServiceOrder)2));

        Assert.Equal(0u, manager.Handler((ServiceOrder)order));
        Assert.Equal("StopPending 0 10000", await manager.ReportAsync());
        Assert.Equal("Stopped 0 0", await manager.ReportAsync());
        Assert.Equal(0, await host.Exit.SoonAsync());
        Assert.True(manager.HasReturned);
        Assert.Contains("cube stops", cube.Journal.Entries);
    }

    [Fact]
    public async Task A_service_that_waits_for_its_cables_can_be_stopped()
    {
        FakeServiceManager manager = new();
        await using TestHost host = TestHost.Begin(
            new FakeCubeFactory { MayStart = new TaskCompletionSource().Task },
            ["--shape=1x1x1", "--WindowsService=true"], ports: 1, services: manager);

        Assert.Equal("Running 0 0", await manager.ReportAsync());
        manager.Handler!(ServiceOrder.Stop);
        Assert.Equal("StopPending 0 10000", await manager.ReportAsync());
        Assert.Equal("Stopped 0 0", await manager.ReportAsync());
        Assert.Equal(0, await host.Exit.SoonAsync());
    }

    [Fact]
    public async Task A_start_that_fails_is_told_to_the_manager()
    {
        FakeServiceManager manager = new();
        await using TestHost host = TestHost.Begin(
            new FakeCubeFactory { StartFailure = new LinkProviderException("no cable") },
            ["--shape=1x1x1", "--WindowsService=true"], ports: 1, services: manager);

        Assert.Equal("Running 0 0", await manager.ReportAsync());
        Assert.Equal("Stopped 1067 0", await manager.ReportAsync());
        Assert.Equal(2, await host.Exit.SoonAsync());
    }

    [Fact]
    public async Task In_the_foreground_the_setting_is_a_mistake_that_is_explained()
    {
        await using TestHost host = TestHost.Begin(
            new FakeCubeFactory(), ["--shape=1x1x1", "--WindowsService=true"], ports: 1, services: new FakeServiceManager(hasStarted: false));

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Contains("the service manager has not started this process", Assert.Single(host.Errors.Lines));
    }

    [Fact]
    public async Task Where_there_are_no_services_the_setting_is_refused()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has services.");
        await using TestHost host = TestHost.Begin(new FakeCubeFactory(), ["--shape=1x1x1", "--WindowsService=true"], ports: 1);

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Contains("CamCube:WindowsService = 'true': this system has no Windows services", Assert.Single(host.Errors.Lines));
    }
}
