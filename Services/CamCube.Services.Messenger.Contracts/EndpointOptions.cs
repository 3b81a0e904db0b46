namespace CamCube.Services.Messenger;

/// <summary>How an endpoint is opened. May be used for several.</summary>
public sealed class EndpointOptions
{
    /// <summary>Messages that wait to be received, 1 to 65,536; more are dropped and counted. Default 0: as the
    /// messenger's settings say (256).</summary>
    public int ReceiveBuffers { get; init; }

    /// <summary>How long to go on asking for a name that another has. Default zero: not at all. With more, a second
    /// server takes a name over when its owner is lost.</summary>
    public TimeSpan Patience { get; init; }

    /// <summary>Opens nothing yet: waits until the endpoint of this name on another server moves here
    /// (<see cref="IEndpoint.MoveToAsync"/>).</summary>
    public bool IsStandby { get; init; }

    /// <summary>The endpoint closes when this is cancelled: <see cref="IServer.Stopping"/> of the service that opens
    /// it, so that nothing is left when it ends.</summary>
    public CancellationToken Lifetime { get; init; }
}
