using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>
/// Datagrams that wait to be sent on one UDP socket. Neighbours of one length leave together, as one message that the
/// kernel, or the network card, cuts into datagrams (UDP_SEGMENT): they pass through the kernel once. One thread; no
/// call allocates.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed unsafe class SegmentRing : IDisposable
{
    private const int MostSegments = 64;
    private const int MostBytes = 65_000;
    private const int UdpLevel = 17;
    private const int SegmentOption = 103;
    private const int InputOutputError = 5;
    private const int InvalidArgument = 22;
    private readonly NativeBlock _control;
    private readonly NativeBlock _memory;
    private readonly BatchMessage* _messages;
    private readonly IoVector* _vectors;
    private readonly SegmentControl* _controls;
    private readonly int _mask;
    private readonly int _stride;
    private readonly int _length;
    private int _head;
    private int _tail;

    /// <summary>A ring.</summary>
    /// <param name="capacity">Datagrams; a power of two.</param>
    /// <param name="length">Longest datagram.</param>
    public SegmentRing(int capacity, int length)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(int.PopCount(capacity), 1, nameof(capacity));
        (Capacity, _mask, _length, _stride) = (capacity, capacity - 1, length, (length + 63) & ~63);
        _control = new NativeBlock(
            (nuint)(capacity * (sizeof(BatchMessage) + sizeof(IoVector) + sizeof(SegmentControl)))
        );
        _memory = new NativeBlock((nuint)capacity * (nuint)_stride);
        _messages = (BatchMessage*)_control.Pointer;
        _vectors = (IoVector*)(_messages + capacity);
        _controls = (SegmentControl*)(_vectors + capacity);
        for (int i = 0; i < capacity; i++)
        {
            _vectors[i].Bytes = _memory.Pointer + ((nint)i * _stride);
        }
    }

    /// <summary>Datagrams that fit.</summary>
    public int Capacity { get; }

    /// <summary>Datagrams that are there.</summary>
    public int Count => _tail - _head;

    /// <summary>Datagrams that fit now.</summary>
    public int Free => Capacity - Count;

    /// <summary>Whether neighbours leave together. Switched off for good when the kernel or the way does not take
    /// it.</summary>
    public bool Joins { get; set; } = true;

    /// <summary>The buffer of the next datagram, the same until <see cref="Commit"/>. Only with <see cref="Free"/> of
    /// at least 1.</summary>
    public Span<byte> Writable => new(_memory.Pointer + ((nint)(_tail & _mask) * _stride), _length);

    /// <summary>The buffer holds a datagram of so many bytes.</summary>
    public void Commit(int length) => _vectors[_tail++ & _mask].Length = length;

    /// <summary>The oldest datagrams are given up.</summary>
    public void Release(int count) => _head += count;

    /// <summary>If the ring is empty: begin at the first slot again, whose memory is warm.</summary>
    public void Rewind()
    {
        if (_head == _tail)
        {
            _head = _tail = 0;
        }
    }

    /// <summary>Offers all that is there, without waiting. Returns how many datagrams the kernel took; those are gone.
    /// If none: why, as an error number, or 0 because none was there.</summary>
    public int Send(SafeHandle socket, out int error)
    {
        int sent = 0;
        error = 0;
        while (_head != _tail)
        {
            int messages = Gather();
            int taken = LinuxCalls.SendBatch(
                socket,
                _messages,
                (uint)messages,
                LinuxCalls.DontWait | LinuxCalls.NoSignal
            );
            if (taken <= 0)
            {
                error = Marshal.GetLastPInvokeError();
                if (Joins && _messages[0].Header.VectorCount > 1 && error is InputOutputError or InvalidArgument)
                {
                    Joins = false;
                    continue;
                }

                error = sent > 0 ? 0 : error;
                break;
            }

            for (int i = 0; i < taken; i++)
            {
                int datagrams = (int)_messages[i].Header.VectorCount;
                _head += datagrams;
                sent += datagrams;
            }
        }

        return sent;
    }

    /// <summary>Gives the memory back, after the last call.</summary>
    public void Dispose()
    {
        _control.Dispose();
        _memory.Dispose();
    }

    /// <summary>Makes messages of what waits, up to the ring's end, and returns how many.</summary>
    private int Gather()
    {
        int at = _head,
            end = Math.Min(_tail, _head + Capacity - (_head & _mask)),
            messages = 0;
        while (at < end)
        {
            IoVector* first = _vectors + (at & _mask);
            int count = Joins ? Run(first, Math.Min(end - at, MostSegments)) : 1;
            _controls[messages] = new SegmentControl
            {
                Length = 18,
                Level = UdpLevel,
                Type = SegmentOption,
                Segment = (ushort)first->Length,
            };
            _messages[messages].Header = new MessageHeader
            {
                Vectors = first,
                VectorCount = count,
                Control = count > 1 ? _controls + messages : null,
                ControlLength = count > 1 ? sizeof(SegmentControl) : 0,
            };
            messages++;
            at += count;
        }

        return messages;
    }

    /// <summary>How many datagrams have the first one's length; the last of them may be shorter.</summary>
    private static int Run(IoVector* first, int most)
    {
        nint length = first->Length,
            total = length;
        int count = 1;
        while (count < most && first[count].Length <= length && total + first[count].Length <= MostBytes)
        {
            total += first[count].Length;
            if (first[count++].Length < length)
            {
                break;
            }
        }

        return count;
    }

    /// <summary>struct cmsghdr with the length of segments.</summary>
    private struct SegmentControl
    {
        public nint Length;
        public int Level;
        public int Type;
        public ushort Segment;
    }
}
