namespace CamCube.Experiments.Churn;

/// <summary>
/// What one server's instances of <see cref="RandomKeyService"/> saw, over all its runs. Written on the server's loop,
/// read between advances of the clock: servers within a window are not simulated in the order of time, so who is right
/// is judged afterwards.
/// </summary>
internal sealed class ServerLog
{
    /// <summary>Packets sent in the measured time.</summary>
    public long Sent { get; set; }

    /// <summary>Packets that should have been sent in that time, but for the packet budget.</summary>
    public long Unsent { get; set; }

    /// <summary>Packets of that time that ended here, since the list was last emptied.</summary>
    public List<KeyDelivery> Deliveries { get; } = [];

    /// <summary>When the server took or gave up its keys, since the list was last emptied.</summary>
    public List<KeyChange> Changes { get; } = [];
}
