namespace CamCube;

/// <summary>
/// Base class of services: default callbacks, and the default queue of <see cref="IServer.Queue"/>. Forwards what is on
/// its way and drops as Unwanted what it gets as a destination, until a derived class says otherwise.
/// </summary>
public abstract class CamCubeService : ICamCubeService
{
    /// <inheritdoc/>
    public virtual Verdict OnPacket(in HopContext hop, Packet packet) =>
        hop.IsDestination ? Verdict.Drop(DropReason.Unwanted) : Verdict.Forward;

    /// <inheritdoc/>
    public virtual void OnStart() { }

    /// <inheritdoc/>
    public virtual ValueTask OnStoppingAsync() => ValueTask.CompletedTask;

    /// <inheritdoc/>
    public virtual void OnStop(StopReason reason) { }

    /// <inheritdoc/>
    public virtual void OnTopologyChanged(in TopologyChange change) { }

    /// <inheritdoc/>
    public virtual ValueTask OnReturningAsync() => ValueTask.CompletedTask;
}
