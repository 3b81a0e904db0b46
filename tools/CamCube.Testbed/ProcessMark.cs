namespace CamCube.Testbed;

/// <summary>A process for good: its id may be given to another one later, the id together with the start time is
/// not.</summary>
/// <param name="Id">Its id.</param>
/// <param name="StartTicks">When it began, in clock ticks since the machine did (field 22 of /proc/ID/stat).</param>
public sealed record ProcessMark(int Id, long StartTicks)
{
    /// <summary>The process that has an id now, or null.</summary>
    public static ProcessMark? Of(int id) =>
        ProcessFiles.Stat(id) is { } stat ? new ProcessMark(id, stat.StartTicks) : null;

    /// <summary>Whether it still runs. One that ended and that nobody has waited for does not.</summary>
    public bool IsAlive() => ProcessFiles.Stat(Id) is { IsDead: false } stat && stat.StartTicks == StartTicks;
}
