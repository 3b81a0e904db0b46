using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>The two threads of a port: one fills the receive ring, one empties the send ring. Made and ended by the
/// loop.</summary>
[SupportedOSPlatform("linux")]
internal sealed class ThreadLane : IDisposable
{
    // More than a batch, because the loop takes one batch per step while the next one comes in.
    private const int ReceiveFrames = 128;
    private const int SocketKey = 0,
        SignalKey = 1;
    private readonly ThreadedSocketPorts _loop;
    private readonly EthernetPort _port;
    private readonly PacketDrops _drops = new();
    private readonly DescriptorHandle _socket;
    private readonly FrameRing _receiving = new(ReceiveFrames, EthernetHeader.LongestFrame, EthernetHeader.Skew);
    private readonly WakeSignal _receiverSignal = new();
    private readonly WakeSignal _senderSignal = new();
    private readonly Thread _receiver;
    private readonly Thread _sender;
    private bool _isHeld;
    private int _receiverWaits;
    private int _senderAsleep;
    private int _tooLarge;
    private int _refused;
    private volatile bool _stop;

    public ThreadLane(ThreadedSocketPorts loop, EthernetPort port, DescriptorHandle socket)
    {
        (_loop, _port, _socket) = (loop, port, socket);
        // This is the border where frames get threads of their own; no code of a server runs on them.
#pragma warning disable RS0030
        _receiver = new Thread(Receive) { Name = "rx " + port.Port.Name, IsBackground = true };
        _sender = new Thread(Send) { Name = "tx " + port.Port.Name, IsBackground = true };
#pragma warning restore RS0030
        _receiver.Start();
        _sender.Start();
    }

    /// <summary>Loop: whether a frame is there.</summary>
    public bool HasFrames => _receiving.Count > (_isHeld ? 1 : 0);

    /// <summary>Loop: the next frame, valid until the next call or <see cref="GiveBack"/>.</summary>
    public bool TryTake(out ReadOnlySpan<byte> frame, out bool wasCut)
    {
        // Released only now, because the thread may overwrite it at once; and released even if the last one made
        // somebody throw.
        if (_isHeld)
        {
            _receiving.Release(1);
            _isHeld = false;
        }

        if (_receiving.Count == 0)
        {
            frame = default;
            wasCut = false;
            return false;
        }

        frame = _receiving.Readable(0, out wasCut);
        _isHeld = true;
        return true;
    }

    /// <summary>Loop: the batch is over.</summary>
    public void GiveBack()
    {
        if (_isHeld)
        {
            _receiving.Release(1);
            _isHeld = false;
        }

        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _receiverWaits) != 0 && Interlocked.Exchange(ref _receiverWaits, 0) != 0)
        {
            _receiverSignal.Set();
        }
    }

    /// <summary>Loop: whether somebody should ask for drops though no frame came.</summary>
    public bool MayHaveDropped => _drops.IsOpen;

    /// <summary>Loop: frames that found no room in the socket.</summary>
    public uint TakeDrops(bool wasFull) => _drops.Take(_socket, wasFull);

    /// <summary>Loop: adds to the port what the sending thread could not send.</summary>
    public void TakeCounts(EthernetPort port)
    {
        if (Volatile.Read(ref _tooLarge) != 0)
        {
            port.TooLarge += Interlocked.Exchange(ref _tooLarge, 0);
        }

        if (Volatile.Read(ref _refused) != 0)
        {
            port.Refused += Interlocked.Exchange(ref _refused, 0);
        }
    }

    /// <summary>Loop: something is in the send ring.</summary>
    public void WakeSender()
    {
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _senderAsleep) != 0 && Interlocked.Exchange(ref _senderAsleep, 0) != 0)
        {
            _senderSignal.Set();
        }
    }

    public void Dispose()
    {
        _stop = true;
        _receiverSignal.Set();
        _senderSignal.Set();
        _receiver.Join();
        _sender.Join();
        _socket.Dispose();
        _receiving.Dispose();
        _receiverSignal.Dispose();
        _senderSignal.Dispose();
    }

    private void Receive()
    {
        using var poller = new Poller(2);
        poller.Watch(_socket, SocketKey, PollEvents.Readable);
        poller.Watch(_receiverSignal.Handle, SignalKey, PollEvents.Readable);
        while (!_stop)
        {
            int got = _receiving.Receive(_socket, EthernetPort.Frames, out int error);
            if (got > 0)
            {
                _loop.Notify();
            }
            else if (error == 0)
            {
                WaitForRoom(poller);
            }
            else if (error != SystemError.Interrupted)
            {
                // Nothing there. An error as the interface goes down was told by this call and is over; netlink says
                // more.
                Sleep(poller, _receiverSignal, long.MaxValue);
            }
        }
    }

    private void WaitForRoom(Poller poller)
    {
        Interlocked.Exchange(ref _receiverWaits, 1);
        if (_receiving.Free == 0 && !_stop)
        {
            _loop.Notify();
            poller.Change(_socket, SocketKey, PollEvents.None);
            Sleep(poller, _receiverSignal, long.MaxValue);
            poller.Change(_socket, SocketKey, PollEvents.Readable);
        }

        Volatile.Write(ref _receiverWaits, 0);
    }

    private void Send()
    {
        using var poller = new Poller(2);
        poller.Watch(_socket, SocketKey, PollEvents.None);
        poller.Watch(_senderSignal.Handle, SignalKey, PollEvents.Readable);
        while (!_stop)
        {
            if (_port.Sending.Count == 0)
            {
                Interlocked.Exchange(ref _senderAsleep, 1);
                if (_port.Sending.Count == 0 && !_stop)
                {
                    Sleep(poller, _senderSignal, long.MaxValue);
                }

                Volatile.Write(ref _senderAsleep, 0);
            }
            else if (_port.Sending.Send(_socket, out int error) == 0)
            {
                Refuse(poller, error);
            }

            Interlocked.MemoryBarrier();
            if (_port.WasFull || _tooLarge + _refused > 0)
            {
                _loop.Notify();
            }
        }
    }

    private void Refuse(Poller poller, int error)
    {
        switch (error)
        {
            case SystemError.Interrupted or 0:
                break;
            case SystemError.Again:
                poller.Change(_socket, SocketKey, PollEvents.Writable);
                Sleep(poller, _senderSignal, long.MaxValue);
                poller.Change(_socket, SocketKey, PollEvents.None);
                break;
            case SystemError.NoBuffers:
                Sleep(poller, _senderSignal, EthernetPorts.RetryNanos);
                break;
            case SystemError.NetworkDown or SystemError.NoSuchDevice or SystemError.NoDevice:
                _port.Sending.Release(_port.Sending.Count);
                break;
            case SystemError.MessageTooLong:
                Interlocked.Increment(ref _tooLarge);
                _port.Sending.Release(1);
                break;
            default:
                Interlocked.Increment(ref _refused);
                _port.Sending.Release(1);
                break;
        }
    }

    private static void Sleep(Poller poller, WakeSignal signal, long nanos)
    {
        // A signal that came too late for the sleep it was meant for must not stay set.
        int ready = poller.Wait(nanos);
        for (int i = 0; i < ready; i++)
        {
            if (poller.TryGet(i, out int key, out _) && key == SignalKey)
            {
                signal.Reset();
            }
        }
    }
}
