using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>
/// The receive ring of a packet socket (TPACKET_V2): the kernel writes each frame into the next slot as it arrives and
/// says so in the slot, so taking one needs no call and no copy. What finds no free slot is dropped and counted by the
/// socket.
/// </summary>
/// <remarks>
/// One thread reads. Version 3 would pack frames of different lengths, but hands over a block only when it is full or a
/// timer ran out, which an idle round trip would wait for. Memory order: the kernel publishes a slot by its status
/// after the frame, and this side gives it back by a release store after the last look at it.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class PacketRing : IDisposable
{
    private const int PacketLevel = 263;
    private const int ReceiveRing = 5;
    private const int Version = 10;
    private const int VersionTwo = 1;

    // struct tpacket2_hdr: status, length, stored length, where the frame begins; behind times, the VLAN's tag.
    private const int LengthAt = 4,
        StoredAt = 8,
        FrameAt = 12;
    private const uint IsTaken = 0,
        IsReady = 1,
        WasTagged = 1 << 4;
    private const int TagAt = 24;

    // The kernel puts that header and a sockaddr_ll before the frame: whose it is.
    private const int KindAt = 32 + 10;
    private const byte IsOthers = 3;

    // The frame stands behind them, so that what follows the Ethernet header is
    // aligned to 16 bytes.
    private const int Alignment = 16;
    private const int FrameOffset = 80 - EthernetHeader.Length;
    private const int Block = 65_536;

    private readonly MappedMemory _memory;
    private readonly int _slotBytes;
    private readonly int _slotsPerBlock;
    private readonly int _lastBlock;
    private byte* _slot;
    private int _slotInBlock;
    private int _block;
    private bool _isHeld;
    private bool _isTagged;

    private PacketRing(MappedMemory memory, int frameLength, int slotBytes, int blocks)
    {
        (_memory, FrameLength, _slotBytes, _slotsPerBlock, _lastBlock) = (
            memory,
            frameLength,
            slotBytes,
            Block / slotBytes,
            blocks - 1
        );
        Capacity = _slotsPerBlock * blocks;
        _slot = memory.Pointer;
    }

    /// <summary>Longest frame that is not cut, header included.</summary>
    public int FrameLength { get; }

    /// <summary>Frames that fit.</summary>
    public int Capacity { get; }

    /// <summary>Gives a socket that is not bound yet its ring. Answers an error number, 0 for success.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="frameLength">Longest frame, header included.</param>
    /// <param name="bytes">Memory for the ring, all of it taken at once.</param>
    /// <param name="ring">The ring.</param>
    public static int Open(DescriptorHandle socket, int frameLength, int bytes, out PacketRing? ring)
    {
        ring = null;
        int slotBytes = (FrameOffset + frameLength + Alignment - 1) & -Alignment,
            blocks = Math.Max(1, bytes / Block);
        int error = NativeSocket.Set(socket, PacketLevel, Version, VersionTwo);
        if (error == 0)
        {
            // struct tpacket_req: bytes and number of blocks, bytes and number of slots. No slot lies across two
            // blocks.
            ReadOnlySpan<int> request = [Block, blocks, slotBytes, Block / slotBytes * blocks];
            error = NativeSocket.Set(socket, PacketLevel, ReceiveRing, MemoryMarshal.AsBytes(request));
        }

        if (error == 0)
        {
            error = MappedMemory.Map(socket, (nuint)Block * (nuint)blocks, out MappedMemory memory);
            ring = error == 0 ? new PacketRing(memory, frameLength, slotBytes, blocks) : null;
        }

        return error;
    }

    /// <summary>Whether the kernel holds the frame that was taken to be somebody else's: addressed to another one, or
    /// in a VLAN, of whose tag a socket of one EtherType is told nothing else.</summary>
    public bool IsForOthers => _slot[KindAt] == IsOthers;

    /// <summary>The VLAN's tag of the frame that was taken, which the kernel cuts out of it; null: it had none. To be
    /// had of a socket for all EtherTypes only.</summary>
    public ushort? Tag => _isTagged ? *(ushort*)(_slot + TagAt) : null;

    /// <summary>The next frame, valid until the next call or <see cref="GiveBack"/>. Longer than a slot: it was
    /// cut.</summary>
    public bool TryTake(out ReadOnlySpan<byte> frame, out bool wasCut)
    {
        // Given back only now, because the kernel may overwrite it at once; and given back even if it made somebody
        // throw.
        GiveBack();
        uint status = Volatile.Read(ref *(uint*)_slot);
        if ((status & IsReady) == 0)
        {
            frame = default;
            wasCut = false;
            return false;
        }

        int stored = *(int*)(_slot + StoredAt);
        frame = new ReadOnlySpan<byte>(_slot + *(ushort*)(_slot + FrameAt), stored);
        wasCut = *(int*)(_slot + LengthAt) != stored;
        _isTagged = (status & WasTagged) != 0;
        _isHeld = true;
        return true;
    }

    /// <summary>The frame that was taken is done with.</summary>
    public void GiveBack()
    {
        if (!_isHeld)
        {
            return;
        }

        _isHeld = false;
        Volatile.Write(ref *(uint*)_slot, IsTaken);
        _slot += _slotBytes;
        if (++_slotInBlock == _slotsPerBlock)
        {
            _slotInBlock = 0;
            _block = _block == _lastBlock ? 0 : _block + 1;
            _slot = _memory.Pointer + ((nint)_block * Block);
        }
    }

    public void Dispose() => _memory.Dispose();
}
