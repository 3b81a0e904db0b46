using System.Threading.Channels;
using CamCube.Hosting.Lifetime;
using CamCube.Hosting.Tests.Kit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CamCube.Hosting.Tests.Lifetime;

/// <summary>A host under the orders of a Windows service manager, which only Windows itself has: here its part is
/// played. .ci/windows-service runs the real one under Wine.</summary>
public sealed class WindowsServiceTests
{
    private readonly Channel<string> _reports = Channel.CreateUnbounded<string>();
    private FakeServiceLifetime? _lifetime;

    [Fact]
    public async Task A_service_runs_answers_and_stops_when_it_is_told()
    {
        FakeCubeFactory cube = new();
        await using TestHost host = Begin(cube);

        Assert.Equal("Running 0", await ReportAsync());
        await host.Output.LineAsync("CamCube ready").SoonAsync();
        Assert.Equal(1, (await host.StatusAsync()).GetProperty("servers").GetArrayLength());

        await _lifetime!.StopFromOutsideAsync().SoonAsync();
        Assert.Equal("StopPending 0", await ReportAsync());
        Assert.Equal("Stopped 0", await ReportAsync());
        Assert.Equal(0, await host.Exit.SoonAsync());
        Assert.Contains("cube stops", cube.Journal.Entries);
    }

    [Fact]
    public async Task A_service_that_waits_for_its_cables_can_be_stopped()
    {
        await using TestHost host = Begin(new FakeCubeFactory { MayStart = new TaskCompletionSource().Task });

        Assert.Equal("Running 0", await ReportAsync());
        await _lifetime!.StopFromOutsideAsync().SoonAsync();
        Assert.Equal("StopPending 0", await ReportAsync());
        Assert.Equal("Stopped 0", await ReportAsync());
        Assert.Equal(0, await host.Exit.SoonAsync());
    }

    [Fact]
    public async Task A_start_that_fails_is_told_to_the_manager()
    {
        await using TestHost host = Begin(new FakeCubeFactory { StartFailure = new LinkProviderException("no cable") });

        Assert.Equal("Running 0", await ReportAsync());
        Assert.Equal("StopPending 0", await ReportAsync());
        Assert.Equal("Stopped 1067", await ReportAsync());
        Assert.Equal(2, await host.Exit.SoonAsync());
    }

    [Theory]
    [InlineData(false, false, 0)]
    [InlineData(false, true, 1067)]
    [InlineData(true, false, 0)]
    [InlineData(true, true, 0)]
    public void Only_an_end_before_it_was_ready_that_nobody_ordered_is_an_abort(
        bool hasStarted,
        bool endsByItself,
        int code
    ) => Assert.Equal(code, ServiceExit.CodeOf(hasStarted, endsByItself));

    [Fact]
    public async Task No_setting_makes_a_service_of_a_host()
    {
        await using TestHost host = TestHost.Begin(
            new FakeCubeFactory(),
            ["--shape=1x1x1", "--WindowsService=true"],
            ports: 1
        );

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Contains("WindowsService", Assert.Single(host.Errors.Lines));
    }

    private TestHost Begin(FakeCubeFactory cube) =>
        TestHost.Begin(
            cube,
            ["--shape=1x1x1"],
            ports: 1,
            service: provider =>
                _lifetime = new FakeServiceLifetime(
                    provider.GetRequiredService<IHostApplicationLifetime>(),
                    _reports.Writer
                )
        );

    private Task<string> ReportAsync() => _reports.Reader.ReadAsync().AsTask().SoonAsync();
}
