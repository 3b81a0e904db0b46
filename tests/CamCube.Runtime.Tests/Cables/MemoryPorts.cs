using CamCube.Cables;

namespace CamCube.Runtime.Tests.Cables;

/// <summary>Six ports in memory: what was sent lies in <see cref="Out"/> after a flush, at most <see cref="Ring"/>
/// frames per port and flush; what a test puts into <see cref="In"/> arrives.</summary>
internal sealed class MemoryPorts : CablePorts
{
    private readonly byte[][] _buffers = [.. Enumerable.Range(0, Links.Cables).Select(_ => new byte[9_000])];
    private readonly List<byte[]>[] _ring = [.. Enumerable.Range(0, Links.Cables).Select(_ => new List<byte[]>())];

    public int Ring { get; init; } = 4;

    /// <summary>Whether the operating system takes what is flushed.</summary>
    public bool Takes { get; set; } = true;

    public List<(int Port, byte[] Frame)> Out { get; } = [];

    public Queue<(int Port, byte[] Frame)> In { get; } = [];

    public override IReadOnlyList<CablePort> Ports { get; } =
    [
        .. Enumerable.Range(0, Links.Cables).Select(i => new CablePort(i, $"eth{i}", (Link)i)),
        new CablePort(6, "eth6", null),
    ];

    public override bool IsUp(int port) => true;

    public override int MaxFrameLength(int port) => 9_014;

    public override int Room(int port) => Ring - _ring[port].Count;

    public override Span<byte> Rent(int port)
    {
        Assert.True(Room(port) > 0, $"nothing may be rented on port {port} now");
        return _buffers[port];
    }

    public override void Send(int port, int length)
    {
        Assert.True(Room(port) > 0, $"nothing may be sent on port {port} now");
        _ring[port].Add(_buffers[port][..length]);
        _buffers[port].AsSpan().Fill(0xEE);
    }

    public override void Flush(ICablePortEvents events, long now)
    {
        for (int port = 0; Takes && port < Links.Cables; port++)
        {
            bool wasFull = Room(port) < 2;
            Out.AddRange(_ring[port].Select(frame => (port, frame)));
            _ring[port].Clear();
            if (wasFull)
            {
                events.RoomAgain(port, now);
            }
        }
    }

    public override int Receive(ICablePortEvents events, int budget, long now)
    {
        int n = In.Count;
        while (In.TryDequeue(out (int Port, byte[] Frame) next))
        {
            events.FrameArrived(next.Port, next.Frame, now);
        }

        return n;
    }

    public override void Wait(long nowNanos, long deadlineNanos) { }

    public override void Wake() { }

    public override void Close() { }
}
