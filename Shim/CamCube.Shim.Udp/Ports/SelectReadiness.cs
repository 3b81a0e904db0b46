using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CamCube.Shim.Udp.Ports;

/// <summary>Any system: select over all sockets and one that is sent to to wake up. A look costs no call: every port is
/// asked every time.</summary>
internal sealed class SelectReadiness : PortReadiness
{
    private const long LongestSleepMicros = 60_000_000;
    private readonly SocketWire[] _wires;
    private readonly Socket _wake;
    private readonly List<Socket> _reading;
    private readonly List<Socket> _writing;
    private readonly byte[] _byte = new byte[1];
    private readonly uint _all;
    private uint _wantingRoom;
    private int _isWoken;

    public SelectReadiness(SocketWire[] wires)
    {
        _wires = wires;
        _all = (1u << wires.Length) - 1;
        (_reading, _writing) = (new(wires.Length + 1), new(wires.Length));

        // It talks with itself only, so nobody else can wake the loop.
        _wake = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        _wake.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _wake.Connect(_wake.LocalEndPoint!);
    }

    /// <inheritdoc/>
    public override bool TryWatch(SafeHandle descriptor, Action happened) => false;

    /// <inheritdoc/>
    public override void WatchRoom(int port, bool on) =>
        _wantingRoom = on ? _wantingRoom | (1u << port) : _wantingRoom & ~(1u << port);

    /// <inheritdoc/>
    public override void Wait(long nanos)
    {
        (Readable, Writable) = (_all, _wantingRoom);
        if (nanos <= 0)
        {
            return;
        }

        _reading.Clear();
        _writing.Clear();
        _reading.Add(_wake);
        for (int i = 0; i < _wires.Length; i++)
        {
            if (_wires[i].Socket is not { } socket)
            {
                continue;
            }

            _reading.Add(socket);
            if ((_wantingRoom >> i & 1) != 0)
            {
                _writing.Add(socket);
            }
        }

        long micros = Math.Min((nanos / 1_000) + 1, LongestSleepMicros);
        Socket.Select(_reading, _writing.Count > 0 ? _writing : null, null, (int)micros);
        if (_reading.Contains(_wake))
        {
            // First the word, then the byte: who comes in between is heard by the step that follows.
            Volatile.Write(ref _isWoken, 0);
            Interlocked.MemoryBarrier();
            while (_wake.Receive(_byte, SocketFlags.None, out SocketError error) > 0 && error == SocketError.Success)
            {
                // Drained.
            }
        }
    }

    /// <inheritdoc/>
    public override void Wake()
    {
        if (Interlocked.Exchange(ref _isWoken, 1) == 0)
        {
            try
            {
                _wake.Send([0], SocketFlags.None, out _);
            }
            catch (ObjectDisposedException)
            {
                // The loop has ended.
            }
        }
    }

    /// <inheritdoc/>
    public override void Dispose() => _wake.Dispose();
}
