namespace CamCube.Runtime.Engine;

/// <summary>A timer in the heap of its server.</summary>
internal sealed class LoopTimer(ServerRuntime server, ServiceView owner, Action onDue) : ServerTimer
{
    public readonly ServiceView Owner = owner;
    public readonly Action OnDue = onDue;
    public long Due;
    public ulong Sequence;
    public int Index = -1;

    public override bool IsArmed => Index >= 0;

    public override void Arm(TimeSpan delay)
    {
        long nanos = delay >= MaxDelay ? long.MaxValue / 2 : Math.Max(0, delay.Ticks * 100);
        ArmAt(server.ClockNow + nanos);
    }

    public override void ArmAt(long dueNanos) => ArmAtTrueTime(server.TrueTimeOf(dueNanos));

    /// <summary>As <see cref="ArmAt"/>, whatever the server's clock says: for what happens outside it.</summary>
    public void ArmAtTrueTime(long dueNanos)
    {
        if (!Owner.IsStopped)
        {
            // Never at once: a timer that is armed again and again without a delay must not stop virtual time.
            server.Timers.Arm(this, Math.Max(dueNanos, server.Now + server.Context.LocalDelayNanos));
        }
    }

    public override void Cancel() => server.Timers.Remove(this);

    // Beyond this, ticks times 100 would overflow; such a timer never fires in practice.
    private static TimeSpan MaxDelay => TimeSpan.FromDays(36_500);
}
