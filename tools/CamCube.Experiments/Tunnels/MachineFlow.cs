using System.Buffers.Binary;
using CamCube.Services.Tunnel.Frames;

namespace CamCube.Experiments.Tunnels;

/// <summary>
/// A long flow from one server to another, of datagrams. It keeps a window of them on their way, which grows by one per
/// round trip and is halved, once in a round trip, when one is lost or marked, as TCP does it; or it never slows. What
/// came is known to the sender at once: nothing goes back.
/// </summary>
internal sealed class MachineFlow(ITunnelMachines cube, Coordinate from, Coordinate to, ushort flow, int length)
{
    // That of TCP in Linux at least.
    private const long TimeoutNanos = 200_000_000;
    private double _window = 10;
    private int _next;
    private int _expected;
    private int _slowUntil;
    private int _acked;
    private long _heardNanos;

    /// <summary>Whether it understands marks.</summary>
    public bool IsCapable { get; init; }

    /// <summary>What it sends each time whatever comes; 0: it has a window.</summary>
    public int Always { get; init; }

    /// <summary>Its name.</summary>
    public ushort Flow => flow;

    /// <summary>Datagrams that were sent.</summary>
    public int Sent => _next;

    /// <summary>Datagrams that came, that did not, and that came marked.</summary>
    public (int Came, int Lost, int Marked) Counts { get; private set; }

    /// <summary>Datagrams that came behind a later one.</summary>
    public int OutOfOrder { get; private set; }

    /// <summary>Sends what it may.</summary>
    public void Send()
    {
        long now = cube.NowNanos;
        if (_heardNanos == 0 || _acked == _next)
        {
            _heardNanos = now;
        }
        else if (now - _heardNanos > TimeoutNanos)
        {
            // All that was on its way is lost.
            (_window, _acked, _heardNanos) = (1, _next, now);
        }

        for (int i = 0; Always > 0 ? i < Always : _next - _acked < _window; i++)
        {
            byte[] frame = MachineFrame.Datagram4(cube.Addresses, from, to, flow, _next++, length);
            cube.CardOf(from).Send(IsCapable ? Capable(frame) : frame);
        }
    }

    /// <summary>One came.</summary>
    public void Receive(ReadOnlySpan<byte> frame)
    {
        (_, int number) = MachineFrame.Read4(frame);
        _heardNanos = cube.NowNanos;
        int lost = Math.Max(0, number - _expected);
        OutOfOrder += number < _expected ? 1 : 0;
        bool isMarked = Congestion.Of(frame[MachineFrame.Head..]) == Congestion.Marked;
        if (isMarked && !IsCapable)
        {
            throw new ExperimentException("a mark for who does not understand it");
        }

        Counts = (Counts.Came + 1, Counts.Lost + lost, Counts.Marked + (isMarked ? 1 : 0));
        _expected = Math.Max(_expected, number + 1);
        _acked = Math.Max(_acked, number + 1);
        _window += 1 / _window;
        if ((lost > 0 || isMarked) && number >= _slowUntil)
        {
            (_window, _slowUntil) = (Math.Max(2, _window / 2), _next);
        }
    }

    /// <summary>The same frame, of who understands marks.</summary>
    public static byte[] Capable(byte[] frame)
    {
        Span<byte> ip = frame.AsSpan(MachineFrame.Head);
        if (BinaryPrimitives.ReadUInt16BigEndian(frame.AsSpan(MachineFrame.Head - 2)) == EtherTypes.Internet6)
        {
            ip[1] |= 0x20;
            return frame;
        }

        ip[1] |= 2;
        InternetSum.WriteHeader4(ip[..20]);
        return frame;
    }
}
