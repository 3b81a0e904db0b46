namespace CamCube.Services.Messenger.Counting;

/// <summary>What one server's messenger counts, also read from outside as <c>camcube.messenger.*</c>. Loop only.
/// </summary>
internal sealed class MessengerCounters(IServerCounters counters)
{
    /// <summary>Short messages given to the network, calls, answers and offers among them.</summary>
    public Counter Sent { get; } = counters.Create("sent", "{message}");

    /// <summary>Messages given to endpoints.</summary>
    public Counter Received { get; } = counters.Create("received", "{message}");

    /// <summary>Messages dropped because too many waited at their endpoint.</summary>
    public Counter Dropped { get; } = counters.Create("dropped", "{message}");

    /// <summary>Messages that came for endpoints that are not here, and went back.</summary>
    public Counter Missed { get; } = counters.Create("missed", "{message}");

    /// <summary>Messages that were passed on to where their endpoint had moved.</summary>
    public Counter Forwarded { get; } = counters.Create("forwarded", "{message}");

    /// <summary>Places that were looked for.</summary>
    public Counter Resolved { get; } = counters.Create("resolved", "{place}");

    /// <summary>Messages given up because no place was found.</summary>
    public Counter Unresolved { get; } = counters.Create("unresolved", "{message}");

    /// <summary>Searches of the whole cube that this server began.</summary>
    public Counter Broadcasts { get; } = counters.Create("broadcasts", "{search}");

    /// <summary>Packets that cannot be.</summary>
    public Counter Malformed { get; } = counters.Create("malformed", "{packet}");

    /// <summary>Packets that came too late, or for nobody.</summary>
    public Counter Stale { get; } = counters.Create("stale", "{packet}");

    /// <summary>Names that endpoints lost to others.</summary>
    public Counter NamesLost { get; } = counters.Create("names.lost", "{name}");

    /// <summary>Long messages delivered here, answers in lent windows among them.</summary>
    public Counter LongReceived { get; } = counters.Create("long.received", "{message}");

    /// <summary>Bytes of them.</summary>
    public Counter LongBytes { get; } = counters.Create("long.received.bytes", "By");

    /// <summary>Long messages that broke off here.</summary>
    public Counter LongBroken { get; } = counters.Create("long.broken", "{message}");

    /// <summary>Items for which there was no window.</summary>
    public Counter Discarded { get; } = counters.Create("long.discarded", "{item}");

    /// <summary>Endpoints that are open now.</summary>
    public Counter Endpoints { get; } = counters.Create("endpoints", "{endpoint}");

    /// <summary>Names that this server keeps for others now.</summary>
    public Counter Names { get; } = counters.Create("names", "{name}");

    /// <summary>Places that it remembers now.</summary>
    public Counter Places { get; } = counters.Create("places", "{place}");

    /// <summary>Bytes of windows that were rented now.</summary>
    public Counter WindowBytes { get; } = counters.Create("windows.bytes", "By");
}
