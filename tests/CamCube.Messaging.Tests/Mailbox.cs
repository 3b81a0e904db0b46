namespace CamCube.Messaging.Tests;

/// <summary>A service that keeps the messages it gets, and answers with the same bytes where that is asked
/// for.</summary>
[CamCubeService(0x0777, "mailbox", Header = typeof(Letter))]
public sealed class Mailbox : CamCubeService, IMessageHandler<Letter>
{
    private readonly IServer _server;

    public Mailbox(IServer server, MessageOptions? options = null)
    {
        _server = server;
        Channel = new MessageChannel<Letter>(server, options ?? new MessageOptions(), this);
    }

    public MessageChannel<Letter> Channel { get; }

    public List<(MessageId Id, ulong Tag, byte[] Content)> Got { get; } = [];

    /// <summary>Keep only the number of messages: for allocation tests.</summary>
    public bool CountsOnly { get; set; }

    public int Count { get; private set; }

    public bool Refuses { get; set; }

    public override void OnStart() => Channel.Start();

    public override void OnStop(StopReason reason) => Channel.Stop();

    public override Verdict OnPacket(in HopContext hop, Packet packet) => Channel.OnPacket(hop, packet);

    public override void OnTopologyChanged(in TopologyChange change) => Channel.OnTopologyChanged();

    public void OnMessage(in IncomingMessage<Letter> message)
    {
        Count++;
        if (message.Header.WantsAnswer != 0)
        {
            OwnedBytes content = Channel.TakeContent(message);
            Channel.Answer(message, new Letter { Tag = message.Header.Tag }, default, content.Span.ToArray());
            content.Return();
        }
        else if (!CountsOnly)
        {
            Got.Add((message.Id, message.Header.Tag, message.Content.ToArray()));
        }
    }

    bool IMessageHandler<Letter>.OnArriving(in Letter header, Coordinate source, int length) => !Refuses;

    public MessageTicket Send(ulong tag, byte[] content, Destination to, int headLength = 0) =>
        Channel.Send(new Letter { Tag = tag }, content.AsSpan(0, headLength), content.AsMemory(headLength), to);

    /// <summary>Sends any bytes as header and body.</summary>
    public void SendRaw(in Letter header, byte[] body, Coordinate to)
    {
        if (_server.Packets.TryRent(body.Length, out Packet? packet))
        {
            packet.Header<Letter>() = header;
            body.CopyTo(packet.WritableBody());
            _server.Send(packet, to);
        }
    }
}
