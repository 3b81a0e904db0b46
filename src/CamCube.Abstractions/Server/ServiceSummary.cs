namespace CamCube;

/// <summary>One service in a <see cref="ServerSummary"/>.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name.</param>
/// <param name="IsRunning">False: it threw and waits for its restart, or stays stopped.</param>
/// <param name="Faults">How often it threw.</param>
/// <param name="Arrived">Packets that came to it.</param>
/// <param name="Sent">Packets that left from its queues.</param>
public readonly record struct ServiceSummary(
    ServiceId Id,
    string Name,
    bool IsRunning,
    long Faults,
    long Arrived,
    long Sent
)
{
    /// <summary>Whether it says itself where its packets go (<see cref="ExtendedService"/>): they do not take base
    /// routing's ways. False of one that does not run, or that was asked through the torus.</summary>
    public bool RoutesItself { get; init; }
}
