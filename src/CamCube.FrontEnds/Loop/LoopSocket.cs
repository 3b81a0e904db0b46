using System.Buffers;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.FrontEnds.Loop;

/// <summary>
/// A client's socket in the loop, and what the system did not take of the answers yet. It is watched edge-triggered:
/// the system tells of input once, so this remembers it, and is not asked again for a socket that was read empty. Loop
/// only.
/// </summary>
/// <remarks>
/// A receive that did not fill its room has taken all there was, and of what comes later the system tells. There are
/// three exceptions: the end of the stream, and errors, are told together with the last bytes; out-of-band bytes end a
/// receive early. After those it is read until there was nothing, once. A client that sends descriptors along, which
/// also end a receive early, may have to wait for its own next bytes.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class LoopSocket
{
    /// <summary>What <see cref="Receive"/> returns if nothing is there.</summary>
    public const int Nothing = -1;

    /// <summary>What <see cref="Receive"/> returns if the client is gone.</summary>
    public const int Gone = -2;

    private const LoopEvents Always =
        LoopEvents.Readable | LoopEvents.PeerEnded | LoopEvents.Urgent | LoopEvents.EdgeTriggered;
    private readonly DescriptorHandle _socket;
    private readonly int _descriptor;
    private ILoopSeat? _seat;
    private int _number = -1;
    private bool _readsUntilNothing;
    private byte[] _unsent = [];
    private int _unsentStart;
    private int _unsentEnd;

    /// <summary>A socket that nobody watches yet.</summary>
    /// <param name="socket">The socket, owned from now on.</param>
    public LoopSocket(DescriptorHandle socket) => (_socket, _descriptor) = (socket, (int)socket.DangerousGetHandle());

    /// <summary>Its number in the system.</summary>
    public long Descriptor => _descriptor;

    /// <summary>Whether something may be there to receive.</summary>
    public bool HasInput { get; private set; } = true;

    /// <summary>Whether the other side is gone, and takes nothing more.</summary>
    public bool IsHungUp { get; private set; }

    /// <summary>Whether the other side has ended its output, or is gone. What it sent before may not be received
    /// yet.</summary>
    public bool HasPeerEnded { get; private set; }

    /// <summary>Whether the system did not take all that was sent.</summary>
    public bool HasUnsent => _unsentEnd > _unsentStart;

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>From now on it is watched.</summary>
    /// <param name="seat">Where.</param>
    /// <param name="source">What its events carry.</param>
    public void Watch(ILoopSeat seat, object source)
    {
        _number = seat.Watch(_socket, Always, source);
        _seat = seat;
    }

    /// <summary>Remembers what the system told.</summary>
    public void Note(LoopEvents seen)
    {
        if ((seen & ~LoopEvents.Writable) == 0)
        {
            return;
        }

        HasInput = true;
        IsHungUp |= (seen & (LoopEvents.HangUp | LoopEvents.Error)) != 0;
        HasPeerEnded |= (seen & (LoopEvents.PeerEnded | LoopEvents.HangUp | LoopEvents.Error)) != 0;
        _readsUntilNothing |= HasPeerEnded || (seen & LoopEvents.Urgent) != 0;
    }

    /// <summary>Receives once. Returns the bytes, 0 at the end, <see cref="Nothing"/> or <see cref="Gone"/>.</summary>
    public int Receive(Span<byte> room)
    {
        int count = StreamSocket.Receive(_descriptor, room);
        if (count >= 0)
        {
            HasInput = count > 0 && (count == room.Length || _readsUntilNothing);
            return count;
        }

        // It was read empty, so of all that comes from now on the system tells.
        HasInput = -count == SystemError.Interrupted;
        _readsUntilNothing &= HasInput;
        return -count is SystemError.Again or SystemError.Interrupted ? Nothing : Gone;
    }

    /// <summary>Sends, and keeps what the system does not take, until it does. Returns the bytes that it took, or
    /// <see cref="Gone"/>.</summary>
    public int Send(ReadOnlySpan<byte> bytes)
    {
        if (HasUnsent)
        {
            Append(bytes);
            return 0;
        }

        int sent = SendNow(bytes);
        if (sent >= 0 && sent < bytes.Length)
        {
            bytes = bytes[sent..];
            _unsent = ArrayPool<byte>.Shared.Rent(bytes.Length);
            bytes.CopyTo(_unsent);
            (_unsentStart, _unsentEnd) = (0, bytes.Length);
            AskForRoom();
        }

        return sent;
    }

    /// <summary>Sends what was kept, as far as the system takes it. As <see cref="Send"/>.</summary>
    public int SendUnsent()
    {
        int sent = SendNow(_unsent.AsSpan(_unsentStart, _unsentEnd - _unsentStart));
        if (sent < 0)
        {
            return sent;
        }

        _unsentStart += sent;
        if (HasUnsent)
        {
            AskForRoom();
        }
        else
        {
            Release();
            _seat!.Change(_socket, _number, Always);
        }

        return sent;
    }

    /// <summary>Closes it. What was not sent is lost.</summary>
    public void Close()
    {
        if (IsClosed)
        {
            return;
        }

        IsClosed = true;
        if (_number >= 0)
        {
            _seat!.Forget(_socket, _number);
        }

        _socket.Dispose();
        Release();
    }

    // Has the system tell when it takes more.
    private void AskForRoom() => _seat!.Change(_socket, _number, Always | LoopEvents.Writable);

    private void Append(ReadOnlySpan<byte> bytes)
    {
        int length = _unsentEnd - _unsentStart;
        byte[] larger = ArrayPool<byte>.Shared.Rent(length + bytes.Length);
        _unsent.AsSpan(_unsentStart, length).CopyTo(larger);
        bytes.CopyTo(larger.AsSpan(length));
        Release();
        (_unsent, _unsentEnd) = (larger, length + bytes.Length);
    }

    private int SendNow(ReadOnlySpan<byte> bytes)
    {
        int sent = StreamSocket.Send(_descriptor, bytes);
        if (sent >= 0)
        {
            return sent;
        }

        return -sent is SystemError.Again or SystemError.Interrupted or SystemError.NoBuffers ? 0 : Gone;
    }

    private void Release()
    {
        if (_unsent.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_unsent);
        }

        (_unsent, _unsentStart, _unsentEnd) = ([], 0, 0);
    }
}
