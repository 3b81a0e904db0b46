using CamCube.Messaging;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger.Long;

/// <summary>The streams of long messages, each with the message it carries. Messages between endpoints of this server
/// need none: they are copied, a part at a time. Loop only.</summary>
internal sealed class Streams(IServer server) : IStreamHandler
{
    private readonly Dictionary<ReliableStream, ITransfer> _transfers = [];
    private StreamEndpoint<MessengerHeader>? _endpoint;
    private LongSender? _sender;
    private LongReceiver? _receiver;

    /// <summary>Streams that carry something.</summary>
    public int Count => _transfers.Count;

    public void Bind(StreamEndpoint<MessengerHeader> endpoint, LongSender sender, LongReceiver receiver) =>
        (_endpoint, _sender, _receiver) = (endpoint, sender, receiver);

    /// <summary>Pulls a message from its sender.</summary>
    public bool TryPull(IncomingLong message)
    {
        if (message.From.Server == server.Coordinate)
        {
            if (_sender!.Offered(message.Label) is not { } outgoing)
            {
                return false;
            }

            outgoing.PulledHere();
            Copy(outgoing, message);
            return true;
        }

        var parameters = new StreamParameters { Label = message.Label };
        if (
            _endpoint!.TryOpen(message.From.Server, parameters, out ReliableStream? stream) != StreamOpen.Ok
            || stream is null
        )
        {
            return false;
        }

        message.Stream = stream;
        _transfers.Add(stream, message);
        Span<byte> wanted = stackalloc byte[(message.Count + 7) / 8];
        wanted.Clear();
        for (int i = 0; i < message.Count; i++)
        {
            wanted[i / 8] |= (byte)((message.Windows[i] is null ? 0 : 1) << (i % 8));
        }

        return stream.Write(wanted) == wanted.Length;
    }

    /// <summary>Pushes an answer to the server that lends the windows.</summary>
    public bool TryPush(OutgoingLong message, Coordinate to, ReadOnlySpan<byte> head)
    {
        if (to == server.Coordinate)
        {
            if (_receiver!.OnPush(message.Label, to, _endpoint!.Run) is not { } incoming)
            {
                return false;
            }

            message.PulledHere();
            if (!incoming.TakeHead(head))
            {
                _receiver.BreakOff(incoming);
                return false;
            }

            Copy(message, incoming);
            return true;
        }

        var parameters = new StreamParameters { Label = message.Label };
        if (_endpoint!.TryOpen(to, parameters, out ReliableStream? stream) != StreamOpen.Ok || stream is null)
        {
            return false;
        }

        if (stream.Write(head) < head.Length)
        {
            stream.Abort();
            stream.Dispose();
            return false;
        }

        _transfers.Add(stream, message);
        message.Push(stream);
        return true;
    }

    /// <summary>All is there: its sender hears of it.</summary>
    public static void SayDelivered(IncomingLong message)
    {
        // Once there is room for a byte.
        if (message.Stream is { } stream && stream.Write([LongWire.IsDelivered]) == 1)
        {
            stream.Complete();
            message.HasSaid = true;
        }
    }

    /// <summary>Ends the stream of a message that broke off.</summary>
    public void Abort(IncomingLong message)
    {
        if (message.Stream is { } stream)
        {
            message.Stream = null;
            stream.Abort();
            Detach(stream);
        }
    }

    /// <summary>Gives a stream back.</summary>
    public void Detach(ReliableStream stream)
    {
        if (_transfers.Remove(stream))
        {
            stream.Dispose();
        }
    }

    /// <inheritdoc/>
    public bool OnIncoming(ReliableStream stream)
    {
        if (_sender!.Offered(stream.Label) is { } outgoing)
        {
            _transfers.Add(stream, outgoing);
            outgoing.Pulled(stream);
            return true;
        }

        if (_receiver!.OnPush(stream.Label, stream.Peer, stream.PeerRun) is not { } incoming)
        {
            return false;
        }

        incoming.Stream = stream;
        _transfers.Add(stream, incoming);
        return true;
    }

    /// <inheritdoc/>
    public void OnReadable(ReliableStream stream) => TransferOf(stream)?.OnReadable(stream);

    /// <inheritdoc/>
    public void OnWritable(ReliableStream stream) => TransferOf(stream)?.OnWritable(stream);

    /// <inheritdoc/>
    public void OnEnded(ReliableStream stream)
    {
        if (TransferOf(stream) is { } transfer)
        {
            transfer.OnEnded(stream);
            Detach(stream);
        }
    }

    private ITransfer? TransferOf(ReliableStream stream) => _transfers.GetValueOrDefault(stream);

    private void Copy(OutgoingLong from, IncomingLong to) =>
        server.Loop.Post(static c => ((LocalCopy)c!).Step(), new LocalCopy(server, from, to, _receiver!));
}
