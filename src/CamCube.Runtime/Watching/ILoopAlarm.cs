namespace CamCube.Runtime.Watching;

/// <summary>
/// Wakes whoever looks at a loop when there may be something to see: the loop has been awake for some time. While it
/// sleeps, and turns only for moments, nobody has to look. Owned by who looks, who disposes it after its last
/// <see cref="Wait"/>.
/// </summary>
public interface ILoopAlarm : IDisposable
{
    /// <summary>Sleeps until the loop has been awake for as long as was asked, at most so long; may return early. Who
    /// saw the loop awake goes on to look instead. The thread that looks.</summary>
    void Wait(TimeSpan limit);

    /// <summary>Ends the wait, now or the next one. Any thread.</summary>
    void End();
}
