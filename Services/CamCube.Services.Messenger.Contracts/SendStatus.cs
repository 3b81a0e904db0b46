namespace CamCube.Services.Messenger;

/// <summary>What became of a message that was given to <see cref="IEndpoint.TrySend(EndpointId, ushort,
/// ReadOnlySpan{byte})"/>. Nothing tells whether it arrives.</summary>
public enum SendStatus : byte
{
    /// <summary>On its way, or waiting until the place of its endpoint is known.</summary>
    Sent = 0,

    /// <summary>More than fits into a packet (<see cref="IMessenger.ShortRoom"/>), or than 255 items.</summary>
    TooLarge = 1,

    /// <summary>No packet can be had now, the queue is full, or too many wait for places: try again later.</summary>
    Busy = 2,

    /// <summary>The name of the endpoint that sends is not its own (any more): see <see cref="IEndpoint.State"/>.
    /// </summary>
    NotOwned = 3,

    /// <summary>There is no way to its place now.</summary>
    NoRoute = 4,

    /// <summary>The message to be answered was none that asks, or was answered before.</summary>
    NoQuestion = 5,
}
