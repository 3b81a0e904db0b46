using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Runtime.Loop;

/// <summary>
/// A loop's sleep in the epoll of its agents: one system call to wake and one to sleep, to the microsecond. The runtime
/// library's events cost a mutex, a condition variable and, at their end, a second switch (measured:
/// benchmarks/CamCube.Benchmarks/README.md).
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class AgentSignal : LoopSignal
{
    private readonly WakeSignal _signal = new();

    public AgentSignal() => Agents.WatchWake(_signal.Handle);

    public override LoopAgents Agents { get; } = new();

    public override void Set() => _signal.Set();

    public override void Wait(long nanos) => Agents.Wait(nanos);

    public override void Dispose()
    {
        Agents.Dispose();
        _signal.Dispose();
    }
}
