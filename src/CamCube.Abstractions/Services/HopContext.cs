namespace CamCube;

/// <summary>The circumstances of one packet at one hop. Valid only during the callback.</summary>
/// <param name="arrivedOn">The link it came in by, named from this server.</param>
/// <param name="isDestination">Whether this server is the destination.</param>
/// <param name="nowNanos">The step's time.</param>
public readonly ref struct HopContext(Link arrivedOn, bool isDestination, long nowNanos)
{
    /// <summary>The link the packet came in by, as this server names it (it leads back to the sender of this hop);
    /// <see cref="Link.Local"/> when this server sent it to itself.</summary>
    public Link ArrivedOn { get; } = arrivedOn;

    /// <summary>True when this server is the destination, or the root of the destination key, in its own
    /// view.</summary>
    public bool IsDestination { get; } = isDestination;

    /// <summary>The time of the step, in nanoseconds from the cluster's epoch.</summary>
    public long NowNanos { get; } = nowNanos;
}
