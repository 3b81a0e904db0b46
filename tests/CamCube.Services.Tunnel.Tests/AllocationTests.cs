namespace CamCube.Services.Tunnel.Tests;

/// <summary>What a tunnelled packet allocates: nothing.</summary>
[Collection(nameof(Alone))]
public sealed class AllocationTests
{
    [Fact]
    public void Tunnelled_packets_allocate_nothing()
    {
        using var cube = new TunnelCube(3, 3, 3);
        Coordinate to = cube.Shape.At(13);
        var sender = new Repeated(MachineFrame.Datagram4(cube.Addresses, default, to, 1, 1, length: 4_000));
        cube.CardOf(0).Source = sender.Next;
        Run(cube, sender);
        Run(cube, sender);
        long written = cube[to].Counters.Written.Value,
            before = GC.GetAllocatedBytesForCurrentThread();
        Run(cube, sender);
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        written = cube[to].Counters.Written.Value - written;
        Assert.InRange(written, 900, 1_000);
        Assert.True(bytes < written, $"{bytes} bytes for {written} packets");
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Neither_do_those_in_pieces()
    {
        using var cube = new TunnelCube(3, 3, 3, new TunnelOptions { Mtu = 65_521 });
        Coordinate to = cube.Shape.At(13);
        var sender = new Repeated(MachineFrame.Datagram4(cube.Addresses, default, to, 1, 1, length: 40_000));
        cube.CardOf(0).Source = sender.Next;
        Run(cube, sender, perMilli: 5);
        Run(cube, sender, perMilli: 5);
        long joined = cube[to].Counters.Joined.Value,
            before = GC.GetAllocatedBytesForCurrentThread();
        Run(cube, sender, perMilli: 5);
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        joined = cube[to].Counters.Joined.Value - joined;
        Assert.InRange(joined, 400, 500);
        Assert.True(bytes < joined, $"{bytes} bytes for {joined} frames");
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Neither_do_those_of_machines_behind_the_bridge()
    {
        using var cube = new TunnelCube(3, 3, 3, new TunnelOptions { Bridge = "0,0,0" });
        Coordinate to = cube.Shape.At(13);
        var sender = new Repeated(Strangers.In(cube, 1, 13, is6: false, length: 4_000));
        cube.CardOf(0).Source = sender.Next;
        Run(cube, sender);
        Run(cube, sender);
        long written = cube[to].Counters.Written.Value,
            before = GC.GetAllocatedBytesForCurrentThread();
        Run(cube, sender);
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        written = cube[to].Counters.Written.Value - written;
        Assert.InRange(written, 900, 1_000);
        Assert.True(bytes < written, $"{bytes} bytes for {written} frames");
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Neither_do_those_for_all()
    {
        using var cube = new TunnelCube(3, 3, 3, flood: new TunnelFloodOptions { PerSecond = 100_000 });
        var sender = new Repeated(FloodTraffic.Frame(cube, 0, 1, 1, length: 400));
        cube.CardOf(0).Source = sender.Next;
        Run(cube, sender);
        Run(cube, sender);
        long written = cube[13].Counters.Written.Value,
            before = GC.GetAllocatedBytesForCurrentThread();
        Run(cube, sender);
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        written = cube[13].Counters.Written.Value - written;
        Assert.Equal(1_000, written);
        Assert.True(bytes < written, $"{bytes} bytes for {written} frames to 26 servers");
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Neither_do_those_of_machines_behind_the_bridge_for_all()
    {
        var flood = new TunnelFloodOptions { PerSecond = 100_000 };
        using var cube = new TunnelCube(3, 3, 3, new TunnelOptions { Bridge = "0,0,0" }, flood: flood);
        int number = 0;
        byte[] frame = Strangers.ToAll(cube, 1, kind: 1, sequence: 1, length: 400);
        var sender = new Repeated(frame) { Changed = () => BitConverter.TryWriteBytes(frame.AsSpan(200), ++number) };
        cube.CardOf(0).Source = sender.Next;
        Run(cube, sender);
        Run(cube, sender);
        long written = cube[13].Counters.Written.Value,
            before = GC.GetAllocatedBytesForCurrentThread();
        Run(cube, sender);
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        written = cube[13].Counters.Written.Value - written;
        Assert.Equal(1_000, written);
        Assert.True(bytes < written, $"{bytes} bytes for {written} frames to 26 servers");
        cube.AssertNothingLeft();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Neither_do_those_that_wait_too_long(bool isCapable)
    {
        using var cube = new TunnelCube(3, 1, 1, new TunnelOptions { QueueBytes = 2 << 20 });
        Coordinate to = cube.Shape.At(1);
        byte[] frame = MachineFrame.Datagram4(cube.Addresses, default, to, 1, 1, length: 8_900);
        var sender = new Repeated(isCapable ? MachineFlow.Capable(frame) : frame);
        cube.CardOf(0).Source = sender.Next;
        for (int i = 0; i < 5; i++)
        {
            Run(cube, sender, perMilli: 32);
        }

        Counter acts = isCapable ? cube[0].Counters.Marked : cube[0].Counters.Shed;
        long written = cube[to].Counters.Written.Value,
            acted = acts.Value,
            full = cube[0].Counters.Full.Value,
            before = GC.GetAllocatedBytesForCurrentThread();
        Run(cube, sender, perMilli: 32);
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        written = cube[to].Counters.Written.Value - written;
        Assert.True(acts.Value - acted > 1 && cube[0].Counters.Full.Value > full, $"{acts.Value - acted} acts");
        Assert.True(bytes < written, $"{bytes} bytes for {written} packets");
        cube.AssertNothingLeft();
    }

    private static void Run(TunnelCube cube, Repeated sender, int perMilli = 10)
    {
        for (int i = 0; i < 100; i++)
        {
            sender.Left = perMilli;
            cube.CardOf(0).Poll();
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }
    }

    private sealed class Repeated(byte[] frame)
    {
        public int Left { get; set; }

        /// <summary>Makes the next frame another one.</summary>
        public Action? Changed { get; set; }

        public byte[]? Next()
        {
            if (Left-- <= 0)
            {
                return null;
            }

            Changed?.Invoke();
            return frame;
        }
    }
}
