using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>
/// Datagrams that were received from one UDP socket in a batch. With UDP_GRO a message may hold many datagrams of one
/// length (the last may be shorter) that passed through the kernel as one; they are given out one by one. One thread;
/// no call allocates.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed unsafe class SegmentBuffer : IDisposable
{
    private const int MessageBytes = 65_536;
    private const int UdpLevel = 17;
    private const int ReceiveOption = 104;
    private readonly NativeBlock _control;
    private readonly NativeBlock _memory;
    private readonly BatchMessage* _messages;
    private readonly IoVector* _vectors;
    private readonly SegmentControl* _controls;
    private readonly int _capacity;
    private int _next;
    private int _count;
    private int _offset;

    /// <summary>A buffer for so many messages. Memory that was never written to by a long message is not
    /// used.</summary>
    public SegmentBuffer(int capacity)
    {
        _capacity = capacity;
        _control = new NativeBlock(
            (nuint)(capacity * (sizeof(BatchMessage) + sizeof(IoVector) + sizeof(SegmentControl)))
        );
        _memory = new NativeBlock((nuint)capacity * MessageBytes);
        _messages = (BatchMessage*)_control.Pointer;
        _vectors = (IoVector*)(_messages + capacity);
        _controls = (SegmentControl*)(_vectors + capacity);
        for (int i = 0; i < capacity; i++)
        {
            _vectors[i] = new IoVector { Bytes = _memory.Pointer + ((nint)i * MessageBytes), Length = MessageBytes };
        }
    }

    /// <summary>Whether datagrams are left.</summary>
    public bool HasMore => _next < _count;

    /// <summary>Lets a socket give datagrams of one length together, where the kernel can.</summary>
    public static void Join(SafeHandle socket) => NativeSocket.Set(socket, UdpLevel, ReceiveOption, 1);

    /// <summary>Takes what the socket has, without waiting. Only when nothing is left. Returns whether the batch was
    /// full, so that more may be there.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="error">Why nothing came, as an error number; 0: something came.</param>
    public bool Receive(SafeHandle socket, out int error)
    {
        for (int i = 0; i < _capacity; i++)
        {
            _controls[i] = new SegmentControl
            {
                Length = 0,
                Level = 0,
                Type = 0,
                Segment = 0,
            };
            _messages[i].Header = new MessageHeader
            {
                Vectors = _vectors + i,
                VectorCount = 1,
                Control = _controls + i,
                ControlLength = sizeof(SegmentControl),
            };
        }

        int got = LinuxCalls.ReceiveBatch(socket, _messages, (uint)_capacity, LinuxCalls.DontWait, null);
        error = got <= 0 ? Marshal.GetLastPInvokeError() : 0;
        (_next, _offset, _count) = (0, 0, Math.Max(got, 0));
        return got == _capacity;
    }

    /// <summary>The next datagram, which may be written to until the next call.</summary>
    public bool TryNext(out Span<byte> datagram)
    {
        datagram = default;
        if (_next >= _count)
        {
            return false;
        }

        int length = (int)_messages[_next].Length,
            segment = length;
        SegmentControl* control = _controls + _next;
        if (
            _messages[_next].Header.ControlLength >= 20
            && control->Level == UdpLevel
            && control->Type == ReceiveOption
            && control->Segment > 0
        )
        {
            segment = control->Segment;
        }

        datagram = new Span<byte>(
            _memory.Pointer + ((nint)_next * MessageBytes) + _offset,
            Math.Min(segment, length - _offset)
        );
        _offset += datagram.Length;
        if (_offset >= length)
        {
            (_next, _offset) = (_next + 1, 0);
        }

        return true;
    }

    /// <summary>Gives the memory back, after the last call.</summary>
    public void Dispose()
    {
        _control.Dispose();
        _memory.Dispose();
    }

    /// <summary>struct cmsghdr with the length of segments, and room for another.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 48)]
    private struct SegmentControl
    {
        public nint Length;
        public int Level;
        public int Type;
        public int Segment;
    }
}
