using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Sending;
using CamCube.Services.Tunnel.Wire;
using CamCube.Testing;

namespace CamCube.Services.Tunnel.Tests;

public sealed class FairQueueTests : IDisposable
{
    private const long Milli = 1_000_000;
    private readonly TunnelCube _cube = new(3, 1, 1);
    private readonly IServer _server;

    public FairQueueTests() => _server = _cube.Cube[0].ServerOf<TunnelService>();

    [Fact]
    public void On_the_way_waits_are_kept_short_also_where_no_frame_begins()
    {
        // Frames of six packets over three paths begin on the same one each time.
        var room = new WaitingRoom(256);
        var terms = new CodelTerms(5 * Milli, 100 * Milli, LeastBytes: 9_000);
        var queue = new FairQueue(room, terms, most: 1, keepsFrames: false);
        long now = 0;
        for (int i = 0; i < 200; i++)
        {
            queue.Add(Rent(), 0, now);
        }

        // One comes and one goes each millisecond, so each waits 200 ms.
        for (int i = 0; i < 400; i++, now += Milli)
        {
            if (queue.Count > 0)
            {
                Packet packet = queue.Take(now, _server.Packets, _cube[0].Counters, out bool isLate);
                Assert.False(isLate);
                _server.Packets.Release(packet);
            }

            queue.Add(Rent(), 0, now);
        }

        Assert.InRange(_cube[0].Counters.Shed.Value, 5, 100);
        while (queue.TakeAny() is { } packet)
        {
            _server.Packets.Release(packet);
        }

        Assert.Equal((0, 0, 0), (queue.Count, queue.Bytes, queue.Flows));
    }

    public void Dispose()
    {
        _cube.AssertNothingLeft();
        _cube.Dispose();
    }

    private Packet Rent()
    {
        Assert.True(_server.Packets.TryRent(1_448, out Packet? packet));

        // Of who does not understand marks.
        packet.WritableBody().Clear();
        packet.WritableBody()[0] = 0x45;
        packet.Header<TunnelHeader>() = new TunnelHeader
        {
            EtherType = EtherTypes.Internet4,
            SegmentBytes = 1_400,
            HeaderBytes = 40,
        };
        return packet;
    }
}
