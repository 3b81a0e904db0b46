using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Receiving;
using CamCube.Services.Tunnel.Wire;
using CamCube.Testing;
using CamCube.Tests;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Pieces that are lost, late, repeated: what comes out was sent, whole.</summary>
public sealed class FrameJoinerTests : IFrameEnd, IDisposable
{
    private readonly TunnelCube _cube = new(2, 1, 1);
    private readonly IServer _server;
    private readonly TunnelCounters _counters;
    private readonly List<byte[]> _came = [];

    public FrameJoinerTests()
    {
        _server = _cube.Cube[0].ServerOf<TunnelService>();
        _counters = _cube[0].Counters;
    }

    [Fact]
    public void Whatever_is_lost_late_or_repeated_only_frames_that_were_sent_come_out()
    {
        var joiner = new FrameJoiner(_server, new TunnelOptions { JoinedFrames = 3 }, this, _counters);
        FuzzInputs.Run(
            (random, count) =>
            {
                HashSet<string> sent = [];
                uint[] numbers = new uint[5];
                for (int i = 0; i < count / 40; i++)
                {
                    int lane = random.Next(numbers.Length),
                        pieces = random.Next(1, 6);
                    byte[] frame = new byte[pieces * 10];
                    random.NextBytes(frame);
                    sent.Add(Convert.ToHexString(frame));
                    for (int piece = 0; piece < pieces; piece++)
                    {
                        uint number = numbers[lane]++;
                        int times = random.Next(12) switch
                        {
                            0 => 0,
                            1 => 2,
                            _ => 1,
                        };
                        for (; times > 0; times--)
                        {
                            // Now and then a packet of long ago, or of another run.
                            uint shift = random.Next(30) == 0 ? (uint)random.Next(8) : 0;
                            ushort run = (ushort)(random.Next(50) == 0 ? 1 : 0);
                            bool isShifted = shift != 0 || run != 0;
                            Come(joiner, lane, number - shift, run, isShifted ? frame[..10] : frame, piece, isShifted);
                        }
                    }
                }

                Assert.All(_came, frame => Assert.Contains(Convert.ToHexString(frame), sent));
                Assert.NotEmpty(_came);
                Assert.InRange(joiner.Waiting, 0, 3);
                _came.Clear();
                _cube.Cube.Advance(TimeSpan.FromSeconds(2));
                Assert.Equal(0, joiner.Waiting);
            }
        );
    }

    [Fact]
    public void Who_has_most_loses_his_oldest()
    {
        var joiner = new FrameJoiner(_server, new TunnelOptions { JoinedFrames = 3 }, this, _counters);
        byte[] frame = new byte[20];
        for (int lane = 0; lane < 4; lane++)
        {
            frame[0] = (byte)lane;
            Come(joiner, lane, 0, 0, frame, 0, isWhole: false);
        }

        Assert.Equal((3, 1L), (joiner.Waiting, _counters.Broken.Value));
        for (int lane = 0; lane < 4; lane++)
        {
            Come(joiner, lane, 1, 0, frame, 1, isWhole: false);
        }

        Assert.Equal([1, 2, 3], _came.Select(came => came[0]));
        Assert.Equal((0, 2L), (joiner.Waiting, _counters.Broken.Value));
    }

    [Fact]
    public void Numbers_wrap_and_what_is_no_piece_ends_a_frame_of_its_lane()
    {
        var joiner = new FrameJoiner(_server, new TunnelOptions(), this, _counters);
        byte[] frame = new byte[30];
        for (int piece = 0; piece < 3; piece++)
        {
            Come(joiner, 0, uint.MaxValue - 1 + (uint)piece, 0, frame, piece, isWhole: false);
        }

        Assert.Single(_came);
        Come(joiner, 0, 2, 0, frame, 0, isWhole: false);
        Come(joiner, 1, 3, 0, frame[..10], 0, isWhole: true);
        Assert.Equal(1, joiner.Waiting);
        Come(joiner, 0, 1, 0, frame[..10], 0, isWhole: true);
        Assert.Equal(1, joiner.Waiting);
        Come(joiner, 0, 3, 0, frame[..10], 0, isWhole: true);
        Assert.Equal((0, 1L), (joiner.Waiting, _counters.Broken.Value));
    }

    public void Dispose()
    {
        _cube.AssertNothingLeft();
        _cube.Dispose();
    }

    void IFrameEnd.Deliver(JoinedFrame frame) => _came.Add(frame.Bytes.ToArray());

    // Pieces of ten bytes.
    private void Come(FrameJoiner joiner, int lane, uint number, ushort run, byte[] frame, int piece, bool isWhole)
    {
        Assert.True(_server.Packets.TryRent(10, out Packet? packet));
        frame.AsSpan(isWhole ? 0 : piece * 10, 10).CopyTo(packet.WritableBody());
        TunnelFlags flags = TunnelFlags.None;
        flags |= piece == 0 || isWhole ? TunnelFlags.First : TunnelFlags.None;
        flags |= piece == (frame.Length / 10) - 1 || isWhole ? TunnelFlags.Last : TunnelFlags.None;
        packet.Header<TunnelHeader>() = new TunnelHeader
        {
            EtherType = EtherTypes.Internet4,
            Flags = flags,
            Lane = (byte)lane,
            Run = run,
            Sequence = number,
        };
        if (!joiner.TryTake(packet) && frame.Length == 10 && !isWhole)
        {
            _came.Add(frame);
        }

        _server.Packets.Release(packet);
    }
}
