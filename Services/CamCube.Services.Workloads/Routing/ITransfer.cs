namespace CamCube.Services.Workloads.Routing;

/// <summary>A stream of packets from one server to another, as fast as the cables take them, by some routing (SIGCOMM
/// §3.1). Loop only.</summary>
public interface ITransfer
{
    /// <summary>Payload bytes that ended here.</summary>
    long ReceivedBytes { get; }

    /// <summary>Sends from here to a server until <see cref="End"/>.</summary>
    void Begin(Coordinate to);

    /// <summary>Sends no more.</summary>
    void End();
}
