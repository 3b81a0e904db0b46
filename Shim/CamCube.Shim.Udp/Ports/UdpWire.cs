using System.Net;

namespace CamCube.Shim.Udp.Ports;

/// <summary>
/// The datagrams of one neighbour on their way from and to the system: a socket at a local port, those that wait to be
/// sent, those that were received. The system throws away what comes from other addresses. It moves bytes and knows
/// nothing of what they say. Loop only; nothing allocates per datagram.
/// </summary>
internal abstract class UdpWire : IDisposable
{
    /// <summary>Whether it can be connected to IPv6 addresses.</summary>
    public abstract bool TakesIPv6 { get; }

    /// <summary>Whether it can be connected to IPv4 addresses.</summary>
    public abstract bool TakesIPv4 { get; }

    /// <summary>Datagrams that wait to be sent.</summary>
    public abstract int Count { get; }

    /// <summary>Datagrams that fit behind them.</summary>
    public abstract int Free { get; }

    /// <summary>The buffer of the next datagram, the same until <see cref="Commit"/>. Only with <see cref="Free"/> of
    /// at least 1.</summary>
    public abstract Span<byte> Writable { get; }

    /// <summary>Whether datagrams were received that nobody has looked at.</summary>
    public abstract bool HasMore { get; }

    /// <summary>The buffer holds a datagram of so many bytes.</summary>
    public abstract void Commit(int length);

    /// <summary>The oldest datagrams are given up.</summary>
    public abstract void Release(int count);

    /// <summary>If none waits: begin at the first buffer again, whose memory is warm.</summary>
    public abstract void Rewind();

    /// <summary>Offers all that wait, without waiting. Returns how many the system took; those are gone. If none:
    /// why.</summary>
    public abstract int Send(out WireFault fault);

    /// <summary>Sends a datagram at once, before those that wait.</summary>
    public abstract WireFault SendNow(ReadOnlySpan<byte> datagram);

    /// <summary>Takes what the system has, without waiting. Only when nothing is left. Returns whether more may be
    /// there.</summary>
    /// <param name="fault">Why nothing came; none: something came.</param>
    public abstract bool Receive(out WireFault fault);

    /// <summary>The next datagram that was received, which may be written to until the next call.</summary>
    public abstract bool TryNext(out Span<byte> datagram);

    /// <summary>Datagrams that arrived and found no room, since the last question; 0 where the system does not
    /// say.</summary>
    public abstract uint TakeDrops();

    /// <summary>From now on it talks with this address only. Answers why not in words; null: it does.</summary>
    public abstract string? Connect(IPEndPoint neighbour);

    /// <summary>The largest IP packet that the way to the neighbour carries, as routers say: true or not, so for people
    /// only; 0: not known.</summary>
    public virtual int PathMtu(IPEndPoint neighbour) => 0;

    /// <inheritdoc/>
    public abstract void Dispose();
}
