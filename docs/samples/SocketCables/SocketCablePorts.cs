using System.Net.Sockets;
using CamCube;
using CamCube.Cables;

namespace SocketCablesSample;

/// <summary>One socket for what comes in, whose first byte says on which link, and a connected one per cable for what
/// goes out.</summary>
internal sealed class SocketCablePorts : CablePorts
{
    private const int Frames = 32;
    private const int Payload = 1_500;
    private readonly Socket _own = NewSocket();
    private readonly UnixDomainSocketEndPoint _ownName;
    private readonly CablePort[] _ports;
    private readonly Cable[] _cables;
    private readonly int[] _portOf = new int[Links.Cables];
    private readonly byte[] _arrived = new byte[1 + Payload];
    private readonly Lock _waking = new();
    private Socket? _waker;

    public SocketCablePorts(string folder, TorusShape shape, Coordinate own)
    {
        UnixDomainSocketEndPoint NameOf(Coordinate server) =>
            new(Path.Combine(folder, $"{shape.RankOf(server)}.socket"));
        Array.Fill(_portOf, -1);
        List<CablePort> ports = [];
        List<Cable> cables = [];
        foreach (Link link in shape.CabledLinks(own))
        {
            _portOf[(int)link] = ports.Count;
            ports.Add(new CablePort(ports.Count, link.Name(), link));
            cables.Add(new Cable(NameOf(shape.Step(own, link)), link.Opposite()));
        }

        (_ports, _cables, _ownName) = ([.. ports], [.. cables], NameOf(own));
        File.Delete(_ownName.ToString());
        _own.Bind(_ownName);
        _waker = NewSocket();
        _waker.Connect(_ownName);
    }

    public override IReadOnlyList<CablePort> Ports => _ports;

    public override bool IsUp(int port) => true;

    public override int MaxFrameLength(int port) => Payload + 14;

    public override int Room(int port) => Frames - _cables[port].Count;

    public override Span<byte> Rent(int port) => _cables[port].Next.AsSpan(1);

    public override void Send(int port, int length) => _cables[port].Commit(length);

    public override void Flush(ICablePortEvents events, long now)
    {
        for (int i = 0; i < _cables.Length; i++)
        {
            bool wasFull = Room(i) < 2;
            _cables[i].Flush();
            if (wasFull && Room(i) >= 2)
            {
                events.RoomAgain(i, now);
            }
        }
    }

    public override int Receive(ICablePortEvents events, int budget, long now)
    {
        int frames = 0;
        while (frames < budget)
        {
            int n = _own.Receive(_arrived, SocketFlags.None, out SocketError error);
            if (error != SocketError.Success)
            {
                break;
            }

            // An empty one is a wake-up; what names no link of ours is somebody's mistake.
            if (n > 1 && _arrived[0] < Links.Cables && _portOf[_arrived[0]] is >= 0 and var port)
            {
                frames++;
                events.FrameArrived(port, _arrived.AsSpan(1, n - 1), now);
            }
        }

        return frames;
    }

    public override void Wait(long nowNanos, long deadlineNanos)
    {
        // A full cable is tried again after a millisecond: nobody says when it has room.
        bool isFull = Array.Exists(_cables, c => c.Count > 0);
        long limit = Math.Min(deadlineNanos - nowNanos, isFull ? 1_000_000 : 1_000_000_000);
        if (limit > 0)
        {
            _own.Poll((int)(limit / 1_000), SelectMode.SelectRead);
        }
    }

    public override void Wake()
    {
        lock (_waking)
        {
            _waker?.Send(ReadOnlySpan<byte>.Empty, SocketFlags.None, out _);
        }
    }

    public override void Close()
    {
        lock (_waking)
        {
            _waker?.Dispose();
            _waker = null;
        }

        _own.Dispose();
        File.Delete(_ownName.ToString());
        foreach (Cable cable in _cables)
        {
            cable.Disconnect();
        }
    }

    private static Socket NewSocket() =>
        new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { Blocking = false };

    /// <summary>A ring of frames on their way to one neighbour.</summary>
    private sealed class Cable(UnixDomainSocketEndPoint neighbour, Link arrivesOn)
    {
        private readonly byte[][] _frames = [.. Enumerable.Range(0, Frames).Select(_ => new byte[1 + Payload])];
        private readonly int[] _lengths = new int[Frames];
        private Socket? _socket;
        private int _first;

        public int Count { get; private set; }

        public byte[] Next => _frames[(_first + Count) % Frames];

        public void Commit(int length)
        {
            Next[0] = (byte)arrivesOn;
            _lengths[(_first + Count++) % Frames] = 1 + length;
        }

        public void Flush()
        {
            while (Count > 0)
            {
                SocketError error = Connect() ?? SendFirst();
                if (error == SocketError.WouldBlock)
                {
                    // The neighbour is slow: the frames stay, in order.
                    return;
                }

                if (error != SocketError.Success)
                {
                    // Nobody is there: lost, as on a pulled cable.
                    Disconnect();
                }

                (_first, Count) = ((_first + 1) % Frames, Count - 1);
            }
        }

        public void Disconnect()
        {
            _socket?.Dispose();
            _socket = null;
        }

        private SocketError SendFirst()
        {
            _socket!.Send(_frames[_first].AsSpan(0, _lengths[_first]), SocketFlags.None, out SocketError error);
            return error;
        }

        private SocketError? Connect()
        {
            if (_socket is not null)
            {
                return null;
            }

            try
            {
                _socket = NewSocket();
                _socket.Connect(neighbour);
                return null;
            }
            catch (SocketException e)
            {
                return e.SocketErrorCode;
            }
        }
    }
}
