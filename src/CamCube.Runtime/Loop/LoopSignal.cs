namespace CamCube.Runtime.Loop;

/// <summary>
/// What one loop sleeps on and other threads end its sleep with. A signal given while the loop is awake is kept: its
/// next wait returns at once. Several signals before a wait count as one.
/// </summary>
internal abstract class LoopSignal : IDisposable
{
    /// <summary>The quickest signal of this system.</summary>
    public static LoopSignal Create() => OperatingSystem.IsLinux() ? new AgentSignal() : new PortableLoopSignal();

    /// <summary>The agents whose descriptors end the wait, too; null where there cannot be any.</summary>
    public virtual LoopAgents? Agents => null;

    /// <summary>Ends the wait, now or the next one. Any thread.</summary>
    public abstract void Set();

    /// <summary>Sleeps until the signal is set or the time is over; may return early. Loop only.</summary>
    /// <param name="nanos">Longest sleep; not negative.</param>
    public abstract void Wait(long nanos);

    /// <inheritdoc/>
    public abstract void Dispose();
}
