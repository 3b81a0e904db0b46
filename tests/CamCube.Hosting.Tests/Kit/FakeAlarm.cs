using CamCube.Runtime.Watching;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>An alarm that rings when the test says so.</summary>
internal sealed class FakeAlarm : ILoopAlarm
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly SemaphoreSlim _waits = new(0);
    private readonly SemaphoreSlim _rings = new(0);

    /// <summary>How long each wait was to last at most.</summary>
    public List<TimeSpan> Limits { get; } = [];

    public bool IsDisposed { get; private set; }

    public void Wait(TimeSpan limit)
    {
        Limits.Add(limit);
        _waits.Release();
        Assert.True(_rings.Wait(Generous), "Nobody rang");
    }

    public void Ring() => _rings.Release();

    /// <summary>Returns when somebody has begun to wait.</summary>
    public void TakeWait() => Assert.True(_waits.Wait(Generous), "Nobody waits");

    public void End() => Ring();

    public void Dispose()
    {
        IsDisposed = true;
        _waits.Dispose();
        _rings.Dispose();
    }
}
