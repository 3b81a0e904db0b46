namespace CamCube.Services.Collectives.Counting;

/// <summary>What one server's collectives count, also read from outside as <c>camcube.collectives.*</c>. Loop
/// only.</summary>
internal sealed class CollectivesCounters(IServerCounters counters)
{
    /// <summary>Operations that are done.</summary>
    public Counter Done { get; } = counters.Create("done", "{operation}");

    /// <summary>Operations that ended otherwise.</summary>
    public Counter Failed { get; } = counters.Create("failed", "{operation}");

    /// <summary>Bytes of vectors that came from children.</summary>
    public Counter Folded { get; } = counters.Create("folded", "By");

    /// <summary>Bytes of results that came from parents.</summary>
    public Counter Received { get; } = counters.Create("received", "By");

    /// <summary>Edges that broke off and were asked for again.</summary>
    public Counter Again { get; } = counters.Create("again", "{pull}");

    /// <summary>Messages and pulls that are none.</summary>
    public Counter Malformed { get; } = counters.Create("malformed", "{message}");
}
