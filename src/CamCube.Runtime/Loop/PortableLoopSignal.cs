namespace CamCube.Runtime.Loop;

/// <summary>The runtime library's event: on every system, to the millisecond.</summary>
internal sealed class PortableLoopSignal : LoopSignal
{
    private readonly AutoResetEvent _event = new(false);

    public override void Set() => _event.Set();

    public override void Wait(long nanos) => _event.WaitOne((int)Math.Min((nanos + 999_999) / 1_000_000, int.MaxValue));

    public override void Dispose() => _event.Dispose();
}
