using CamCube.Messaging;

namespace CamCube.Experiments.Streams;

/// <summary>Sends messages, and counts those that it gets.</summary>
[CamCubeService(0x7109, "bulk-messages", Header = typeof(BulkHeader))]
internal sealed class BulkMessages : CamCubeService, IMessageHandler<BulkHeader>
{
    private readonly IServer _server;
    private readonly MessageChannel<BulkHeader> _channel;

    /// <summary>A service of one server.</summary>
    public BulkMessages(IServer server)
    {
        _server = server;
        _channel = new MessageChannel<BulkHeader>(server, new MessageOptions(), this);
    }

    /// <summary>Bytes of content in one packet.</summary>
    public int PieceLength => _channel.PieceLength;

    /// <summary>Messages that came.</summary>
    public int Count { get; private set; }

    /// <summary>Messages with other bytes than were sent.</summary>
    public int Wrong { get; private set; }

    /// <summary>Sends one of so many bytes.</summary>
    public void Send(int length, Coordinate to)
    {
        byte[] content = new byte[length];
        BulkBytes.Fill(LabelOf(_server.Coordinate), content);
        _channel.Send(default, default, content, to);
    }

    /// <inheritdoc/>
    public override void OnStart() => _channel.Start();

    /// <inheritdoc/>
    public override void OnStop(StopReason reason) => _channel.Stop();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => _channel.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => _channel.OnTopologyChanged();

    /// <inheritdoc/>
    public void OnMessage(in IncomingMessage<BulkHeader> message)
    {
        Count++;
        Wrong += BulkBytes.Are(LabelOf(message.Id.Source), 0, message.Content) ? 0 : 1;
    }

    private ulong LabelOf(Coordinate sender) => (ulong)_server.Shape.RankOf(sender);
}
