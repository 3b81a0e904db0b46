using System.Runtime.Versioning;
using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Connections;

namespace CamCube.FrontEnds.Loop;

/// <summary>A client's socket in the loop, with TLS over it or without: what is received and sent is counted, and when
/// it was is known. Loop only.</summary>
/// <param name="accepted">The client.</param>
/// <param name="loop">Its loop.</param>
/// <param name="context">What the connections share.</param>
[SupportedOSPlatform("linux")]
internal sealed class LoopTransport(in AcceptedClient accepted, ConnectionLoop loop, ListenerContext context)
{
    private readonly LoopSocket _socket = new(accepted.Socket);
    private LoopTls? _tls;

    /// <summary>When something was received from it or sent to it.</summary>
    public long MovedNanos { get; private set; }

    /// <summary>Its number in the system.</summary>
    public long Descriptor => _socket.Descriptor;

    /// <summary>Whether something may be there to receive.</summary>
    public bool HasInput => _tls?.HasInput ?? _socket.HasInput;

    /// <inheritdoc cref="LoopSocket.HasUnsent"/>
    public bool HasUnsent => _socket.HasUnsent;

    /// <inheritdoc cref="LoopSocket.IsHungUp"/>
    public bool IsHungUp => _socket.IsHungUp;

    /// <inheritdoc cref="LoopSocket.HasPeerEnded"/>
    public bool HasPeerEnded => _socket.HasPeerEnded;

    /// <inheritdoc cref="LoopSocket.IsClosed"/>
    public bool IsClosed => _socket.IsClosed;

    /// <summary>Whether it speaks TLS.</summary>
    public bool HasTls => _tls is not null;

    /// <summary>Whether it has still to agree on TLS.</summary>
    public bool IsAgreeing => _tls is { IsAgreed: false };

    /// <summary>Why it did not, if it is known.</summary>
    public string Refusal => _tls?.Refusal ?? "it is gone";

    /// <summary>From now on it is watched.</summary>
    /// <param name="source">What its events carry.</param>
    /// <param name="hasTls">Whether it must speak TLS.</param>
    public void Begin(object source, bool hasTls)
    {
        MovedNanos = loop.NowNanos;
        _tls = hasTls ? new LoopTls(_socket, loop, context.Tls!, context.Options.TlsWriteBuffer) : null;
        _socket.Watch(loop.Seat, source);
    }

    /// <summary>Remembers what the system told.</summary>
    public void Note(LoopEvents seen) => _socket.Note(seen);

    /// <summary>Least room for <see cref="Receive"/>.</summary>
    public int LeastRoom => _tls is null ? 1 : LoopTls.LeastRoom;

    /// <summary>Receives once, as <see cref="LoopSocket.Receive"/>, into an array from a place on.</summary>
    public int Receive(byte[] buffer, int end)
    {
        if (_tls is null)
        {
            return _socket.Receive(buffer.AsSpan(end));
        }

        bool wasAgreed = _tls.IsAgreed;
        int count = _tls.Receive(buffer.AsMemory(end));
        if (_tls.IsAgreed && !wasAgreed)
        {
            MovedNanos = loop.NowNanos;
        }

        return count;
    }

    /// <summary>As <see cref="LoopSocket.Receive"/>; only without TLS.</summary>
    public int ReceiveAhead(Span<byte> room) => _socket.Receive(room);

    /// <summary>Counts what was received.</summary>
    public void CountRead(int count)
    {
        MovedNanos = loop.NowNanos;
        loop.Traffic.CountRead(count);
    }

    /// <summary>Whether the client was found gone when something was sent.</summary>
    public bool IsGone { get; private set; }

    /// <summary>Sends answers, and keeps what the system does not take, until it does.</summary>
    public void Send(ReplyBuffer output)
    {
        int sent = _tls is null ? _socket.Send(output.Written.Span) : _tls.Send(output.Written);
        output.Clear();
        NoteSent(sent, isPlain: true);
    }

    /// <summary>Sends what was kept. As <see cref="Send"/>.</summary>
    public void SendUnsent() => NoteSent(_socket.SendUnsent(), _tls is null);

    /// <summary>Says TLS's last word. True: it is sent, or cannot be.</summary>
    public bool TryEnd() => _tls?.TryEnd() != false;

    /// <summary>Closes it. What was not sent is lost.</summary>
    public void Close()
    {
        _tls?.Close();
        _socket.Close();
    }

    // What is under TLS was counted when it was given.
    private void NoteSent(int sent, bool isPlain)
    {
        IsGone |= sent < 0;
        if (sent > 0)
        {
            MovedNanos = loop.NowNanos;
            if (isPlain)
            {
                loop.Traffic.CountWritten(sent);
            }
        }
    }
}
