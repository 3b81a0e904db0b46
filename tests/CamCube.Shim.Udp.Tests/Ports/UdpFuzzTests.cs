using System.Net;
using System.Security.Cryptography;
using CamCube.Linux;
using CamCube.Shim.Udp.Ports;
using CamCube.Shim.Udp.Sealing;
using CamCube.Tests;

namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>Datagrams of every length and kind, from strangers and from a neighbour that has the key and keeps to
/// nothing.</summary>
public sealed class UdpFuzzTests
{
    private const int Longest = 9_100;

    [Fact]
    public void Handshakes_and_sealed_frames_that_were_bent_get_nowhere_and_change_no_keys() =>
        FuzzInputs.Run(
            (random, count) =>
            {
                Sealing.TestCable cable = Sealing.TestCable.Ready(random.Next());
                cable.Plus.Send(1_400);
                cable.Run(5 * Sealing.TestCable.Second);
                for (int i = 0; i < count; i++)
                {
                    Sealing.CableEnd end = random.Next(2) == 0 ? cable.Plus : cable.Minus;
                    List<byte[]> real = cable.Other(end).Datagrams;
                    byte[] before = real[random.Next(real.Count)],
                        bent = random.Bend(before, real[random.Next(real.Count)], Longest);
                    if (random.Next(8) == 0)
                    {
                        bent = new byte[random.Length(Longest)];
                        random.NextBytes(bent);
                    }

                    if (real.Exists(datagram => datagram.AsSpan().SequenceEqual(bent)))
                    {
                        continue;
                    }

                    OpenResult result = end.Channel.Open(bent, cable.Now);
                    Assert.False(
                        result is OpenResult.Frame or OpenResult.Taken or OpenResult.OtherLink,
                        $"input {i}: {result}"
                    );
                    if (i % 1_000 == 0)
                    {
                        cable.Run(10 * Sealing.TestCable.Millisecond);
                    }
                }

                int plus = cable.Plus.Received.Count,
                    minus = cable.Minus.Received.Count;
                cable.Run(Sealing.TestCable.Second);
                Assert.True(cable.Plus.Send() & cable.Minus.Send());
                cable.Run(Sealing.TestCable.Second);
                Assert.Equal((plus + 1, minus + 1), (cable.Plus.Received.Count, cable.Minus.Received.Count));
            }
        );

    [Fact]
    public void A_neighbour_with_the_key_may_send_anything_in_batches_and_whole_frames_arrive_as_they_were() =>
        FuzzInputs.Run(
            (random, count) =>
            {
                using var pair = new PortPair(["127.0.0.1", "127.0.0.2"], [("Mtu", "9080")]);
                pair.Open(1);
                using var insider = new Insider(pair);
                insider.Agree();
                PortLog log = pair.Logs[1];
                for (int i = 0; i < count; )
                {
                    log.Frames.Clear();
                    List<byte[]> wholes = [];
                    int length = 0;
                    for (int batch = random.Next(1, 24); batch > 0; batch--, i++)
                    {
                        // Neighbours of one length pass through the kernel together.
                        length = random.Next(3) == 0 ? random.Length(9_000) : length;
                        byte part = random.Next(3) == 0 ? (byte)random.Next(256) : (byte)random.Next(6);
                        byte[] frame = new byte[length];
                        frame.AsSpan().Fill((byte)random.Next(256));
                        bool isBent = random.Next(4) == 0;
                        insider.Send(frame, (FramePart)part, isBent ? random : null);
                        if (!isBent && part == 0 && length > 0)
                        {
                            wholes.Add(frame);
                        }
                    }

                    insider.Flush();
                    pair.Round();
                    pair.Round();
                    int next = 0;
                    foreach ((_, byte[] frame) in log.Frames)
                    {
                        // Between them are frames that were put together of two parts.
                        next += next < wholes.Count && frame.AsSpan().SequenceEqual(wholes[next]) ? 1 : 0;
                    }

                    Assert.True(next == wholes.Count, $"input {i}: {next} of {wholes.Count} whole frames arrived");
                    Assert.All(log.Frames, f => Assert.InRange(f.Frame.Length, 1, 9_000));
                    insider.Drain();
                }

                Assert.True(log.DropsOf(DropReason.Unauthenticated) > count / 20);
                Assert.Equal(0, log.DropsOf(DropReason.ReceiveFull));

                // The real neighbour comes back and nothing is left of all that.
                insider.Dispose();
                pair.Open(0);
                pair.Talk();
            }
        );

    /// <summary>A program at server 0's place, with the cluster's key, for its +x port.</summary>
    private sealed class Insider : IDisposable
    {
        private readonly PortPair _pair;
        private readonly UdpSocket _socket;
        private readonly SegmentRing _ring = new(64, Longest);
        private readonly SecureChannel _channel = new(
            ClusterKey.TryParse(UdpCubes.Key)!,
            Link.XPlus,
            RandomNumberGenerator.Fill,
            new ChannelOptions { RekeyNanos = 1L << 60, SilenceNanos = 1L << 50 },
            0
        );

        private readonly byte[] _buffer = new byte[Longest];
        private bool _isClosed;

        public Insider(PortPair pair)
        {
            _pair = pair;
            _socket = UdpSocket.Open(IPAddress.Parse("127.0.0.1"), pair.BasePort, 1 << 20);
            Assert.Equal(0, _socket.Connect(new IPEndPoint(IPAddress.Parse("127.0.0.2"), pair.BasePort + 1_001)));
        }

        public void Agree()
        {
            _pair.Until(
                () =>
                {
                    Drain();
                    return _channel.IsReady;
                },
                "no keys"
            );
            for (int i = 0; i < 100; i++)
            {
                _pair.Round();
                Drain();
            }
        }

        /// <summary>Takes what arrived and says what the channel has to say.</summary>
        public void Drain()
        {
            for (int length; (length = NativeSocket.Receive(_socket.Handle, _buffer, out _)) >= 0; )
            {
                _channel.Open(_buffer.AsSpan(0, length), _pair.Now);
            }

            for (int length; (length = _channel.TryTakeMessage(_buffer, _pair.Now)) > 0; )
            {
                NativeSocket.Send(_socket.Handle, _buffer.AsSpan(0, length));
            }
        }

        public void Send(byte[] frame, FramePart part, Random? bends)
        {
            frame.CopyTo(_ring.Writable[FrameFormat.HeaderLength..]);
            int length = _channel.Seal(_ring.Writable, frame.Length, part);
            Assert.True(length > 0, "no keys");
            if (bends is not null)
            {
                byte[] datagram = bends.Bend(_ring.Writable[..length].ToArray(), [], Longest);
                length = Math.Max(1, datagram.Length);
                datagram.CopyTo(_ring.Writable);
            }

            _ring.Commit(length);
        }

        public void Flush()
        {
            while (_ring.Count > 0)
            {
                if (_ring.Send(_socket.Handle, out int error) == 0 && error != 0)
                {
                    Assert.Fail(SystemError.Text(error));
                }
            }

            _ring.Rewind();
        }

        public void Dispose()
        {
            if (!_isClosed)
            {
                _isClosed = true;
                _socket.Dispose();
                _ring.Dispose();
                _channel.Dispose();
            }
        }
    }
}
