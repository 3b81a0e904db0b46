using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>
/// A ring of frames in native memory, for one direction of one port. Sending: the producer writes into
/// <see cref="Writable"/> and <see cref="Commit"/>s, the consumer <see cref="Send"/>s; what the kernel did not take
/// stays, in order. Receiving: the producer <see cref="Receive"/>s, the consumer reads <see cref="Readable"/> and
/// <see cref="Release"/>s.
/// </summary>
/// <remarks>
/// One producer and one consumer; they may be two threads. Memory order: each side publishes its own index by a release
/// store after it has finished with the slot, and reads the other's by an acquire load before it touches one. No call
/// allocates.
/// </remarks>
public sealed unsafe class FrameRing : IDisposable
{
    // MSG_DONTWAIT.
    private const int DontWait = 0x40;

    // Indices that two threads write lie two cache lines apart, since processors fetch lines in pairs.
    private const int IndexBytes = 256;
    private const int TailOffset = 128;
    private readonly NativeBlock _control;
    private readonly NativeBlock _memory;
    private readonly BatchMessage* _messages;
    private readonly IoVector* _vectors;
    private readonly byte* _frames;
    private readonly int* _head;
    private readonly int* _tail;
    private readonly int _mask;
    private readonly int _stride;
    private readonly int _length;

    /// <summary>A ring.</summary>
    /// <param name="capacity">Frames; a power of two.</param>
    /// <param name="length">Longest frame.</param>
    /// <param name="skew">Bytes in front of each frame, so that what follows a header of odd length is aligned.</param>
    public FrameRing(int capacity, int length, int skew = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(int.PopCount(capacity), 1, nameof(capacity));
        (Capacity, _mask, _length) = (capacity, capacity - 1, length);
        _stride = (skew + length + 63) & ~63;
        _control = new NativeBlock((nuint)(IndexBytes + (capacity * (sizeof(BatchMessage) + sizeof(IoVector)))));
        _memory = new NativeBlock((nuint)capacity * (nuint)_stride);
        NativeMemory.Clear(_control.Pointer, IndexBytes);
        _head = (int*)_control.Pointer;
        _tail = (int*)(_control.Pointer + TailOffset);
        _messages = (BatchMessage*)(_control.Pointer + IndexBytes);
        _vectors = (IoVector*)(_messages + capacity);
        _frames = _memory.Pointer + skew;
        for (int i = 0; i < capacity; i++)
        {
            _vectors[i] = new IoVector { Bytes = _frames + ((nint)i * _stride), Length = length };
            _messages[i] = new BatchMessage
            {
                Header = new MessageHeader { Vectors = _vectors + i, VectorCount = 1 },
            };
        }
    }

    /// <summary>Frames that fit.</summary>
    public int Capacity { get; }

    /// <summary>Frames that are there.</summary>
    public int Count => Volatile.Read(ref *_tail) - Volatile.Read(ref *_head);

    /// <summary>Producer: frames that fit now.</summary>
    public int Free => Capacity - Count;

    /// <summary>Producer: the buffer of the next frame, the same until <see cref="Commit"/>. Only with
    /// <see cref="Free"/> of at least 1.
    /// </summary>
    public Span<byte> Writable => new(_frames + ((nint)(*_tail & _mask) * _stride), _length);

    /// <summary>Producer: the buffer holds a frame of so many bytes.</summary>
    public void Commit(int length)
    {
        int tail = *_tail;
        _vectors[tail & _mask].Length = length;
        _messages[tail & _mask].Length = (uint)length;
        Volatile.Write(ref *_tail, tail + 1);
    }

    /// <summary>Consumer: the frame at a place from the oldest on. Longer than any frame may be: it was cut.</summary>
    public ReadOnlySpan<byte> Readable(int place, out bool wasCut)
    {
        int slot = (*_head + place) & _mask;
        wasCut = (_messages[slot].Header.Flags & MessageHeader.Truncated) != 0;
        return new ReadOnlySpan<byte>(_frames + ((nint)slot * _stride), (int)_messages[slot].Length);
    }

    /// <summary>Consumer: the oldest frames are done with.</summary>
    public void Release(int count) => Volatile.Write(ref *_head, *_head + count);

    /// <summary>Both sides are one thread and the ring is empty: begin at the first slot again, whose memory is
    /// warm.</summary>
    public void Rewind()
    {
        if (*_head == *_tail)
        {
            *_head = *_tail = 0;
        }
    }

    /// <summary>Consumer of a sending ring: offers all that is there, without waiting. Returns how many frames the
    /// kernel took; those are gone. If none: why, as an error number, or 0 because none was there.</summary>
    [SupportedOSPlatform("linux")]
    public int Send(SafeHandle socket, out int error)
    {
        int head = *_head,
            count = Volatile.Read(ref *_tail) - head,
            sent = 0;
        error = 0;
        while (sent < count)
        {
            int slot = (head + sent) & _mask;
            int run = Math.Min(count - sent, Capacity - slot);
            int taken = LinuxCalls.SendBatch(
                socket,
                _messages + slot,
                (uint)run,
                LinuxCalls.DontWait | LinuxCalls.NoSignal
            );
            if (taken <= 0)
            {
                error = sent > 0 ? 0 : Marshal.GetLastPInvokeError();
                break;
            }

            sent += taken;
            Volatile.Write(ref *_head, head + sent);
            if (taken < run)
            {
                break;
            }
        }

        return sent;
    }

    /// <summary>Producer of a receiving ring: takes what the socket has, at most so many frames and no more than fit up
    /// to the ring's end. Returns how many; if none: why, as an error number (<see cref="SystemError.Again"/>: nothing
    /// is there), or 0 because nothing fits.
    /// </summary>
    /// <param name="socket">The socket.</param>
    /// <param name="most">Most frames.</param>
    /// <param name="error">Why none came.</param>
    /// <param name="flags">MSG_ flags: whether to wait.</param>
    [SupportedOSPlatform("linux")]
    public int Receive(SafeHandle socket, int most, out int error, int flags = DontWait)
    {
        int tail = *_tail,
            slot = tail & _mask;
        int run = Math.Min(Math.Min(most, Capacity - slot), Capacity - (tail - Volatile.Read(ref *_head)));
        error = 0;
        if (run <= 0)
        {
            return 0;
        }

        int got = LinuxCalls.ReceiveBatch(socket, _messages + slot, (uint)run, flags, null);
        if (got <= 0)
        {
            error = Marshal.GetLastPInvokeError();
            return 0;
        }

        Volatile.Write(ref *_tail, tail + got);
        return got;
    }

    /// <summary>Gives the memory back, after the last call of both sides.</summary>
    public void Dispose()
    {
        _control.Dispose();
        _memory.Dispose();
    }
}
