using CamCube.Faults;
using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Tests.Faults;

/// <summary>Three servers in a ring with traffic from server 0 to server 1, looked at cable by cable.</summary>
internal sealed class FaultyPair : IDisposable
{
    /// <summary>Bytes of a packet of <see cref="Traffic"/> without virtual ones.</summary>
    public const int Least = Packet.FrameOverhead + 8;

    public static readonly LinkScope There = LinkScope
        .Link(new Coordinate(0, 0, 0), Link.XPlus)
        .OfService(new ServiceId(Traffic.Id));

    public FaultyPair(ulong seed = 1, SimulatorOptions? options = null)
    {
        options ??= new SimulatorOptions();
        options.Seed = seed;
        Cube = new SimulatedCube(new TorusShape(3, 1, 1), [Traffic.Define()], options);

        // A moment without heartbeats.
        Cube.AdvanceTo(10_000_000);
    }

    public SimulatedCube Cube { get; }

    public LinkFaultCounts Counts => Cube.LinkFaults.Counts;

    public List<(long At, Link Link, long Number)> Arrivals => Cube.Service<Traffic>(1).Arrivals;

    public IEnumerable<long> Numbers => Arrivals.Select(a => a.Number);

    public IDisposable Add(LinkFault fault) => Cube.LinkFaults.Add(fault, There);

    /// <summary>Sends numbered packets, one each 2 µs, and waits for a while.</summary>
    public void Send(int count, int first = 0, int virtualBytes = 0)
    {
        for (int i = 0; i < count; i++)
        {
            Assert.Equal(SendResult.Accepted, Cube.Service<Traffic>(0).SendVia(Link.XPlus, virtualBytes, first + i));
            Cube.AdvanceTo(Cube.NowNanos + 2_000);
        }
    }

    /// <summary>Sends numbered packets at once; they queue.</summary>
    public void Burst(int count, int virtualBytes)
    {
        for (int i = 0; i < count; i++)
        {
            Assert.Equal(SendResult.Accepted, Cube.Service<Traffic>(0).SendVia(Link.XPlus, virtualBytes, i));
        }
    }

    public void Wait(double millis) => Cube.Advance(TimeSpan.FromMilliseconds(millis));

    public void Dispose()
    {
        for (int rank = 0; rank < 3; rank++)
        {
            Cube.Kill(rank);
        }

        Assert.True(Cube.PacketsOutstanding == 0, Cube.DescribeOutstanding());
        Cube.Dispose();
    }
}
