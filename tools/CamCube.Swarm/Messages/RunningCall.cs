using CamCube.Services.Messenger;

namespace CamCube.Swarm.Messages;

/// <summary>Something that goes on.</summary>
/// <param name="What">What it is.</param>
/// <param name="From">Whose it is.</param>
/// <param name="BeganNanos">Since when.</param>
/// <param name="MostNanos">How long it may take.</param>
internal sealed record RunningCall(string What, OpenEndpoint From, long BeganNanos, long MostNanos)
{
    /// <summary>Whom a call asks.</summary>
    public EndpointId To { get; init; }

    /// <summary>Number of the message.</summary>
    public ulong Number { get; init; }

    public Task<CallAnswer>? Call { get; init; }

    public Task<LongDelivery>? Long { get; init; }

    public Task<MoveStatus>? Move { get; init; }

    /// <summary>Whether it has ended.</summary>
    public bool HasEnded => (Call ?? Long ?? (Task?)Move)!.IsCompleted;
}
