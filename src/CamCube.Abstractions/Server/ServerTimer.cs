namespace CamCube;

/// <summary>A timer of one service on one server. Timers that are due together fire in the order in which they were
/// armed. Loop only.</summary>
public abstract class ServerTimer
{
    internal ServerTimer() { }

    /// <summary>Whether it is going to fire.</summary>
    public abstract bool IsArmed { get; }

    /// <summary>Fires once, this much later (a negative delay counts as zero); replaces an earlier arming.</summary>
    public abstract void Arm(TimeSpan delay);

    /// <summary>Fires once at this server time, in nanoseconds; replaces an earlier arming.</summary>
    public abstract void ArmAt(long dueNanos);

    /// <summary>Will not fire.</summary>
    public abstract void Cancel();
}
