using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>
/// A switch in virtual time, as <c>Shim=Switch</c> over TCP is one: a connection between each two servers, which loses
/// nothing and keeps order, a port of one rate for all connections of a server in each direction, and links that wait
/// while too much stands before a connection. One thread; frames move between runs of the cube.
/// </summary>
/// <param name="shape">The cube.</param>
/// <param name="bitsPerSecond">Of each port and direction.</param>
/// <param name="queueBytes">What may wait for one server, and then be under way to it.</param>
internal sealed class VirtualSwitch(TorusShape shape, long bitsPerSecond, int queueBytes)
{
    private const long TickNanos = 500_000;
    private readonly SwitchPort?[] _ports = new SwitchPort?[shape.Count];

    /// <summary>Bytes of frames that ports have let through, to whomever.</summary>
    public long Bytes { get; private set; }

    /// <summary>Asked for each frame when it leaves: true loses it, which no real switch of TCP does.</summary>
    public Func<int, bool>? Loses { get; set; }

    /// <summary>The links of a server.</summary>
    public LinkDriver PortOf(Coordinate server, int maxFrameLength) =>
        _ports[shape.RankOf(server)] = new SwitchPort(this, shape.RankOf(server), maxFrameLength);

    /// <summary>A server is gone: what waits for it, and what it sent and has not arrived, is lost.</summary>
    public void Stop(Coordinate server) => _ports[shape.RankOf(server)]!.IsGone = true;

    /// <summary>Time passes in the cube and in the switch.</summary>
    public void Advance(TestCube cube, TimeSpan time, Func<bool>? until = null)
    {
        for (long end = cube.NowNanos + (time.Ticks * 100); cube.NowNanos < end && until?.Invoke() != true; )
        {
            cube.Cube.AdvanceTo(cube.NowNanos + TickNanos);
            foreach (SwitchPort? port in _ports)
            {
                port?.Deliver(cube.NowNanos);
            }

            foreach (SwitchPort? port in _ports)
            {
                port?.Send(cube.NowNanos);
            }
        }
    }

    private long NanosOf(int bytes) => bytes * 8_000_000_000 / bitsPerSecond;

    private sealed class SwitchConnection
    {
        public readonly Queue<(Link Link, byte[] Frame)> Waiting = new();
        public LinkSet Full;
        public int WaitingBytes,
            UnderWay;
    }

    private sealed class SwitchPort(VirtualSwitch all, int rank, int maxFrameLength) : LinkDriver
    {
        private readonly byte[] _buffer = new byte[maxFrameLength];
        private readonly SwitchConnection[] _to =
        [
            .. Enumerable.Range(0, all._ports.Length).Select(static _ => new SwitchConnection()),
        ];
        private readonly Queue<(long At, int From, Link Link, byte[] Frame)> _arriving = new();
        private ILinkEvents? _server;
        private long _sendsAt,
            _freeAt;
        private int _turn;

        public bool IsGone { get; set; }

        public override int MaxFrameLength => maxFrameLength;

        public override bool EndsAtNeighbours => false;

        public override void Attach(ILinkEvents server) => _server = server;

        public override long Transmit(Link link, Packet packet, long now)
        {
            SwitchConnection to = _to[all.RankOf(_server!.AddresseeOf(link, packet))];
            int length = _server.Encode(packet, _buffer);
            byte[] frame = _buffer[..length];
            to.Waiting.Enqueue((link.Opposite(), frame));
            to.WaitingBytes += frame.Length;
            if (to.WaitingBytes < all.QueueBytes)
            {
                return now;
            }

            to.Full |= link;
            return Full;
        }

        public void Deliver(long now)
        {
            while (_arriving.TryPeek(out (long At, int From, Link Link, byte[] Frame) next) && next.At <= now)
            {
                _arriving.Dequeue();
                all._ports[next.From]!._to[rank].UnderWay -= next.Frame.Length;
                if (!IsGone && !all._ports[next.From]!.IsGone && all.Loses?.Invoke(next.Frame.Length) != true)
                {
                    _server!.FrameArrived(next.Link, next.Frame, now);
                }
            }
        }

        // Each connection a frame in its turn, as long as the port has time and the connection may have it under way.
        public void Send(long now)
        {
            _sendsAt = Math.Max(_sendsAt, now - TickNanos);
            for (int idle = 0; idle < _to.Length && _sendsAt < now && !IsGone; idle++)
            {
                int rankOfNext = _turn = (_turn + 1) % _to.Length;
                SwitchConnection to = _to[rankOfNext];
                if (to.UnderWay >= all.QueueBytes || !to.Waiting.TryDequeue(out (Link Link, byte[] Frame) next))
                {
                    continue;
                }

                idle = -1;
                all.Bytes += next.Frame.Length;
                to.UnderWay += next.Frame.Length;
                _sendsAt += all.NanosOf(next.Frame.Length);
                all._ports[rankOfNext]!.Come(_sendsAt, rank, next.Link, next.Frame);
                to.WaitingBytes -= next.Frame.Length;
                if (to.WaitingBytes <= all.QueueBytes / 2)
                {
                    foreach (Link link in to.Full)
                    {
                        _server!.LinkFree(link, now);
                    }

                    to.Full = LinkSet.None;
                }
            }
        }

        private void Come(long at, int from, Link link, byte[] frame)
        {
            _freeAt = Math.Max(_freeAt, at) + all.NanosOf(frame.Length);
            _arriving.Enqueue((_freeAt, from, link, frame));
        }
    }

    private int QueueBytes => queueBytes;

    private int RankOf(Coordinate server) => shape.RankOf(server);
}
