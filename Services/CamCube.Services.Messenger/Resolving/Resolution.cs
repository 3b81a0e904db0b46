namespace CamCube.Services.Messenger.Resolving;

/// <summary>A search for one place, and the messages that wait for it; pooled.</summary>
internal sealed class Resolution
{
    public Resolution(IServer server, Action<Resolution> onLate) => Timer = server.CreateTimer(() => onLate(this));

    public EndpointId Id { get; set; }

    /// <summary>Where it is not.</summary>
    public EndpointPlace Wrong { get; set; }

    public Queue<Packet> Waiting { get; } = new();

    public ServerTimer Timer { get; }

    /// <summary>Tells this search from earlier ones of the same object.</summary>
    public int Turn { get; set; }

    /// <summary>The turn whose search is to begin; 0: it has begun.</summary>
    public int Turned { get; set; }

    public CancellationTokenSource? Cancel { get; set; }
}
