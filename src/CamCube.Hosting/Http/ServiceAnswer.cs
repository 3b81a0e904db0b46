namespace CamCube.Hosting.Http;

/// <summary>One service of a server.</summary>
internal sealed record ServiceAnswer(
    string Id,
    string Name,
    string State,
    long Faults,
    long Arrived,
    long Sent,
    int Queued,
    long MaxCallbackNanos,
    IReadOnlyList<CounterAnswer> Counters);
