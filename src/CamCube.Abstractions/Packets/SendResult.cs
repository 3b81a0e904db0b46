namespace CamCube;

/// <summary>What became of a packet that was given to the runtime. <see cref="IServer.Send(Packet, Destination)"/> has
/// taken it in every case.</summary>
public enum SendResult : byte
{
    /// <summary>Queued, on its way, or delivered locally.</summary>
    Accepted = 0,

    /// <summary>The queue's limit was met and its drop policy decided against this packet.</summary>
    QueueFull = 1,

    /// <summary>No live path to the destination.</summary>
    NoRoute = 2,

    /// <summary>None of the chosen links is up.</summary>
    LinkDown = 3,

    /// <summary>Longer than a frame of this cluster.</summary>
    TooLarge = 4,

    /// <summary>The service or the server is stopping.</summary>
    Closed = 5,
}
