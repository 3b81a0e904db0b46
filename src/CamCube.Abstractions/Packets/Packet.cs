using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CamCube;

/// <summary>
/// What a service sends. A pooled object with exactly one owner at a time; only the owner may touch it, on the server's
/// loop. The service header lies inside the packet (up to 64 bytes, private to it); the body is a reference-counted
/// buffer that copies of a multicast share until one of them writes. Ownership moves to the service by renting,
/// sharing, <see cref="Verdict.Hold"/> and <see cref="IServerPackets.Take"/>; to the runtime by sending
/// (whatever the answer), releasing, and every other verdict.
/// Each hand-over is checked, in Release builds too; Debug builds also check each
/// access and remember the last owners. Headers are structs of unmanaged fields; on the wire they are little-endian, as
/// in memory (other machines are refused at start).
/// </summary>
public sealed class Packet
{
    /// <summary>Most bytes of a service header.</summary>
    public const int MaxHeaderLength = 64;

    /// <summary>Bytes in front of header and body on the wire: Ethernet header, frame header, packet header
    /// (docs/wire-format.md).</summary>
    public const int FrameOverhead = 14 + 4 + 24;

    internal Packet? Next;
    internal long When;
    internal ulong Route;
    internal ulong SourceRoute;
    internal BodyBuffer? Buffer;
    internal uint OwnerWord;
    internal uint Sequence;
    internal uint IdWord;
    internal int BodyOffset;
    internal int BodyBytes;
    internal int VirtualBytes;
    internal ushort ServiceWord;
    internal ushort HopsLeft;
    internal byte HeaderBytes;
    internal PacketFlags Flags;
#if DEBUG
    internal readonly OwnerHistory History = new();
#endif
    private HeaderArea _header;

    internal Packet() { }

    /// <summary>The service whose instances get this packet at each hop. Set it to hand a packet to another
    /// service.</summary>
    public ServiceId Service
    {
        get
        {
            CheckAccess();
            return new ServiceId(ServiceWord);
        }
        set
        {
            CheckAccess();
            ServiceWord = value.Value;
        }
    }

    /// <summary>The server that first sent it; it answers there. Set by the runtime when the packet is
    /// rented.</summary>
    public Coordinate Source
    {
        get
        {
            CheckAccess();
            return Coordinate.Unpack(SourceRoute);
        }
    }

    /// <summary>Where base routing takes it. A service may change it at any hop (intermediate destinations, HPDC
    /// §3.1).</summary>
    public Destination Destination
    {
        get
        {
            CheckAccess();
            return Destination.FromWire(Route, (Flags & PacketFlags.ToKey) != 0);
        }
        set
        {
            CheckAccess();
            Route = value.Route;
            Flags = value.IsKey ? Flags | PacketFlags.ToKey : Flags & ~PacketFlags.ToKey;
        }
    }

    /// <summary>
    /// Hops the packet may still make. Counted down whenever it is delivered to its service, by cable or locally; one
    /// that comes with 0 is dropped and counted, which ends every loop, whether the service forwards, hands on, or
    /// holds and sends. 16 bits: long rings are normal.
    /// </summary>
    public ushort HopLimit
    {
        get
        {
            CheckAccess();
            return HopsLeft;
        }
        set
        {
            CheckAccess();
            HopsLeft = value;
        }
    }

    /// <summary>Bytes of the service header, 0 to 64: by default the size of the header type in
    /// <see cref="CamCubeServiceAttribute"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">More than 64.</exception>
    public int HeaderLength
    {
        get
        {
            CheckAccess();
            return HeaderBytes;
        }
        set
        {
            CheckAccess();
            ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)value, (uint)MaxHeaderLength, nameof(value));
            HeaderBytes = (byte)value;
        }
    }

    /// <summary>The header's bytes, writable at every hop: no other packet shares them.</summary>
    public Span<byte> HeaderSpan
    {
        get
        {
            CheckAccess();
            return MemoryMarshal.CreateSpan(ref Unsafe.As<HeaderArea, byte>(ref _header), HeaderBytes);
        }
    }

    /// <summary>The body, for reading. Valid while the caller owns the packet.</summary>
    public ReadOnlySpan<byte> Body
    {
        get
        {
            CheckAccess();
            return Buffer is null ? default : Buffer.Bytes.AsSpan(BodyOffset, BodyBytes);
        }
    }

    /// <summary>Bytes of the body. To change it: <see cref="SetBodyLength"/>.</summary>
    public int BodyLength
    {
        get
        {
            CheckAccess();
            return BodyBytes;
        }
    }

    /// <summary>Bytes the body may grow to without another buffer. It depends on whose memory the body lies in: what a
    /// service does by it may be otherwise with another number of threads or processes.</summary>
    public int BodyCapacity
    {
        get
        {
            CheckAccess();
            return Buffer is null ? 0 : Buffer.Bytes.Length - BodyOffset;
        }
    }

    /// <summary>True while another packet has the same body: reading is free, the first write copies.
    /// As <see cref="BodyCapacity"/>, nothing to decide by.</summary>
    public bool IsBodyShared
    {
        get
        {
            CheckAccess();
            return Buffer is { References: > 1 };
        }
    }

    /// <summary>Bytes that count on the wire but are not in memory: bulk traffic in simulations. Not allowed on real
    /// cables.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or 16 MiB or more.</exception>
    public int VirtualLength
    {
        get
        {
            CheckAccess();
            return VirtualBytes;
        }
        set
        {
            CheckAccess();
            ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)value, 0xFF_FFFFu, nameof(value));
            VirtualBytes = value;
        }
    }

    /// <summary>Bytes on a cable when alone in a frame, with the 14-byte Ethernet header, without preamble and
    /// checksum.</summary>
    public int WireLength => FrameOverhead + HeaderBytes + BodyBytes + VirtualBytes;

    internal PacketState State => (PacketState)(OwnerWord >> 28);

    /// <summary>
    /// The header struct, for reading and writing in place. Always safe in memory; in
    /// <see cref="ICamCubeService.OnPacket"/> a packet with less than the declared header never arrives.
    /// </summary>
    /// <exception cref="ArgumentException">The struct is larger than 64 bytes.</exception>
    public ref T Header<T>()
        where T : unmanaged
    {
        CheckAccess();
        if (Unsafe.SizeOf<T>() > MaxHeaderLength)
        {
            ThrowHeaderTooLarge(typeof(T));
        }

        return ref Unsafe.As<HeaderArea, T>(ref _header);
    }

    /// <summary>The body, for writing in place. Copies first when another packet shares it (an empty pool costs a
    /// counted heap buffer).</summary>
    public Span<byte> WritableBody()
    {
        CheckAccess();
        if (Buffer is null)
        {
            return default;
        }

        if (Buffer.References > 1)
        {
            Buffer = Buffer.CopyForWrite(ref BodyOffset, BodyBytes);
        }

        Flags &= ~PacketFlags.BodyTraced;
        return Buffer.Bytes.AsSpan(BodyOffset, BodyBytes);
    }

    /// <summary>Shortens or lengthens the body; new bytes are whatever was there before.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or more than <see cref="BodyCapacity"/>.</exception>
    public void SetBodyLength(int length)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)length, (uint)BodyCapacity, nameof(length));
        BodyBytes = length;
        Flags &= ~PacketFlags.BodyTraced;
    }

    /// <summary>
    /// Makes the packet its own answer: the destination becomes the old source, the source becomes
    /// <paramref name="here"/>, and it may again make <paramref name="hopLimit"/> hops. Needs no buffer, so it cannot
    /// fail. Forwarded where the question came from, it is delivered there after the present callback, as by a send.
    /// </summary>
    public void TurnRound(Coordinate here, ushort hopLimit)
    {
        CheckAccess();
        Route = SourceRoute;
        SourceRoute = here.Packed;
        Flags = (Flags & ~PacketFlags.ToKey) | PacketFlags.TurnedRound;
        HopsLeft = hopLimit;
    }

    internal ref byte HeaderStart() => ref Unsafe.As<HeaderArea, byte>(ref _header);

    internal void ClearHeader() => _header = default;

    /// <summary>Makes this packet a copy of another: own header, same body.</summary>
    internal void CopyFrom(Packet other)
    {
        (Route, SourceRoute, ServiceWord, HopsLeft) = (
            other.Route,
            other.SourceRoute,
            other.ServiceWord,
            other.HopsLeft
        );
        (VirtualBytes, HeaderBytes, Flags, _header) = (
            other.VirtualBytes,
            other.HeaderBytes,
            other.Flags,
            other._header
        );
        (Buffer, BodyOffset, BodyBytes) = (other.Buffer, other.BodyOffset, other.BodyBytes);
        if (Buffer is not null)
        {
            Buffer.References++;
        }
    }

    /// <summary>The only way an owner changes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Move(uint from, uint to)
    {
        if (OwnerWord != from)
        {
            OwnershipException.Throw(this, from, to);
        }

#if DEBUG
        History.Add(from, to);
#endif
        OwnerWord = to;
    }

    [Conditional("DEBUG")]
    private void CheckAccess()
    {
        if (State is PacketState.Free or PacketState.Queued or PacketState.Wire)
        {
            OwnershipException.ThrowAccess(this);
        }
    }

    private static void ThrowHeaderTooLarge(Type type) =>
        throw new ArgumentException($"{type.Name} is larger than the {MaxHeaderLength} bytes of a service header.");
}
