namespace CamCube.Services.Messenger.Endpoints;

/// <summary>Objects of messages, used again and again. Loop only.</summary>
internal sealed class ReceivedPool(IServer server)
{
    private readonly Stack<Received> _free = new();

    /// <summary>Messages that somebody has.</summary>
    public int Used { get; private set; }

    /// <summary>The messenger has stopped: what it had is taken back by the runtime.</summary>
    public bool HasEnded { get; set; }

    public Received Rent()
    {
        Used++;
        return _free.TryPop(out Received? message) ? message : new Received(this);
    }

    public void Return(Received message, Packet? packet)
    {
        Used--;
        _free.Push(message);
        if (packet is not null && !HasEnded)
        {
            server.Packets.Release(packet);
        }
    }
}
