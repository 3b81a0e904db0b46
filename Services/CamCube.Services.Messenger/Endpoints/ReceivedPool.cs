namespace CamCube.Services.Messenger.Endpoints;

/// <summary>Objects of messages, used again and again. Loop only.</summary>
internal sealed class ReceivedPool(IServer server)
{
    private readonly Stack<ReceivedMessage> _free = new();

    /// <summary>Messages that somebody has.</summary>
    public int Used { get; private set; }

    /// <summary>The messenger has stopped: what it had is taken back by the runtime.</summary>
    public bool HasEnded { get; set; }

    public ReceivedMessage Rent()
    {
        Used++;
        return _free.TryPop(out ReceivedMessage? message) ? message : new ReceivedMessage(this);
    }

    public void Return(ReceivedMessage message, Packet? packet)
    {
        Used--;
        _free.Push(message);
        if (packet is not null && !HasEnded)
        {
            server.Packets.Release(packet);
        }
    }
}
