using CamCube.Administration.Answers;
using CamCube.Hosting.Http;
using CamCube.Hosting.Observing;
using CamCube.Hosting.Tests.Kit;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Testing;

namespace CamCube.Hosting.Tests.Observing;

/// <summary>What the health paths make of the reasons that the parts of a host give.</summary>
public sealed class HostHealthTests
{
    private readonly Source _links = new(),
        _loops = new();

    [Fact]
    public void The_worst_reason_decides_and_all_are_told_in_order()
    {
        HostHealth health = new(Cube(), [_links, _loops]);
        health.Ready();
        Assert.Equal(("ready", "live"), Ask(health));

        _links.Now = [new HealthReason(HealthLevel.Degraded, "a capture ended")];
        Assert.Equal(("degraded", "live"), Ask(health));

        _loops.Now = [new HealthReason(HealthLevel.NotReady, "a loop hangs")];
        Assert.Equal(("unready", "live"), Ask(health));
        Assert.Equal(["a capture ended", "a loop hangs"], HealthReport.Ready(health).Answer.Reasons);

        _loops.Now = [new HealthReason(HealthLevel.Dead, "a loop has ended")];
        Assert.Equal(("unready", "dead"), Ask(health));
        Assert.Equal(["a loop has ended"], HealthReport.Live(health).Answer.Reasons);

        (_links.Now, _loops.Now) = ([], []);
        Assert.Equal(("ready", "live"), Ask(health));
    }

    [Fact]
    public void What_hangs_while_the_host_starts_or_stops_is_told_beside_the_stage()
    {
        HostHealth health = new(Cube(), [_links, _loops]);
        _loops.Now = [new HealthReason(HealthLevel.NotReady, "a loop hangs")];
        health.Starting("the cube");
        Assert.Equal(("starting", "live"), Ask(health));
        Assert.Equal(["the cube: starting", "a loop hangs"], HealthReport.Ready(health).Answer.Reasons);
        health.Stopping();
        Assert.Equal(("stopping", "live"), Ask(health));
        Assert.Equal(["the host is stopping", "a loop hangs"], HealthReport.Ready(health).Answer.Reasons);
    }

    [Fact]
    public void What_a_service_says_of_itself_degrades_the_host_while_it_says_so()
    {
        FakeCube cube = Cube(out FakeCubeFactory factory);
        HostHealth health = new(cube, []);
        health.Ready();
        Assert.Equal(("ready", "live"), Ask(health));
        factory.Unwell = "3 copies are missing";
        Assert.Equal(("degraded", "live"), Ask(health));
        Assert.Equal(["service echo on server 0,0,0: 3 copies are missing"], HealthReport.Ready(health).Answer.Reasons);

        // It does not run: that is what is said.
        factory.ServiceState = ServiceState.Faulted;
        Assert.Equal(
            ["service echo on server 0,0,0 threw and waits for its restart"],
            HealthReport.Ready(health).Answer.Reasons
        );
        (factory.Unwell, factory.ServiceState) = (null, ServiceState.Running);
        Assert.Equal(("ready", "live"), Ask(health));
    }

    private static (string Ready, string Live) Ask(HostHealth health)
    {
        (HealthAnswer ready, bool isReady) = HealthReport.Ready(health);
        (HealthAnswer live, bool isLive) = HealthReport.Live(health);
        Assert.Equal(isReady, ready.Status is "ready" or "degraded");
        Assert.Equal(isLive, live.Status == "live");
        return (ready.Status, live.Status);
    }

    private static FakeCube Cube() => Cube(out _);

    private static FakeCube Cube(out FakeCubeFactory factory)
    {
        factory = new FakeCubeFactory();
        factory.Create(
            new Cubes.CubeRequest(
                new TorusShape(1, 1, 1),
                null,
                [],
                new ServerOptions(),
                new NoEvents(),
                1,
                new Dictionary<string, string>()
            )
        );
        return factory.Cube!;
    }

    private sealed class Source : IHealthSource
    {
        public HealthReason[] Now { get; set; } = [];

        public IEnumerable<HealthReason> Reasons() => Now;
    }
}
