using CamCube.Runtime.Services;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Simulator.Tests.Swarm;

/// <summary>A cube under heavy traffic to random keys, looked at every tenth of a millisecond by the checkers that
/// allow nothing.</summary>
internal sealed class HandoverCube : IDisposable
{
    private const long StepNanos = 100_000;

    public HandoverCube(
        long linkDelayNanos = 500,
        double packetsPerSecond = 2_000,
        bool isCanary = false,
        TimeSpan returnTime = default
    )
    {
        var options = new SwarmOptions
        {
            Seed = 1,
            Shape = "3x3x3",
            Services = [SwarmServices.Keys],
            LinkDelayNanos = linkDelayNanos,
        };
        Keys = new KeyTraffic(options.ToShape(), packetsPerSecond, 0);
        Swarm = new SwarmCube(options, [isCanary ? Keys.DefineCanary() : Keys.Define(), SlowReturn(returnTime)]);
        Deliveries = new DeliveryChecker(Swarm.Truth, isStrict: true, mayDouble: false);
    }

    public SwarmCube Swarm { get; }

    public SimulatedCube Cube => Swarm.Cube;

    public KeyTraffic Keys { get; }

    public DeliveryChecker Deliveries { get; }

    public RootChecker Roots => Swarm.Roots;

    public List<KeyPacket> Delivered { get; } = [];

    public void Run(double milliseconds, Func<bool>? until = null)
    {
        long end = Cube.NowNanos + (long)(milliseconds * 1e6);
        while (Cube.NowNanos < end && !(until?.Invoke() ?? false))
        {
            Cube.AdvanceTo(Math.Min(end, Cube.NowNanos + StepNanos));
            List<Claim> changes = Swarm.History.Take();
            List<KeyPacket> delivered = Keys.TakeDelivered();
            Delivered.AddRange(delivered);
            Roots.Look(changes);
            Deliveries.Look(changes, Keys.TakeSent(), delivered);
        }
    }

    public void AssertNothingWentWrong()
    {
        Assert.Empty(Deliveries.Failures);
        Assert.Empty(Roots.Failures);
        Assert.Equal(0, Deliveries.Misdelivered);
        Assert.Equal(0, Roots.Overlaps);
        Assert.True(Deliveries.Checks > 5_000, $"{Deliveries.Checks} deliveries were checked");
    }

    public void Dispose() => Swarm.Dispose();

    private static ServiceDefinition SlowReturn(TimeSpan time) =>
        new()
        {
            Id = new ServiceId(0x0701),
            Name = "slow-return",
            Create = activation => new SlowReturnService(activation.Server, time),
        };

    private sealed class SlowReturnService(IServer server, TimeSpan time) : CamCubeService
    {
        public override async ValueTask OnReturningAsync()
        {
            if (time > TimeSpan.Zero)
            {
                await server.DelayAsync(time);
            }
        }
    }
}
