using CamCube.Runtime.Workers;

namespace CamCube.Simulator.Disks;

/// <summary>An operation of a simulated disk that an instance of a service waits for; a timer ends it.</summary>
internal sealed class SimulatedOperation<T>(IWorkOwner owner, T stopped) : AwaitedJob<T>(owner)
{
    public ValueTask<T> Start() => Open();

    public override void Stop() => End(stopped);

    public override string Describe() => nameof(SimulatedOperation<T>);

    public override void Run() => throw new NotSupportedException();

    public override void Execute() => throw new NotSupportedException();

    protected override void Recycle() { }
}
