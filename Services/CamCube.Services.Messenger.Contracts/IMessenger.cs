using System.Diagnostics.CodeAnalysis;

namespace CamCube.Services.Messenger;

/// <summary>
/// Messages between endpoints that have names, wherever they are (LibRIPC): the messenger as other services of the same
/// server use it. Who opens an endpoint gets messages that are sent to its name; names start, stop, crash and move, and
/// no sender has to know. docs/messenger.md says what is guaranteed. Loop only. Nothing here throws for what a network
/// or a peer does.
/// </summary>
public interface IMessenger
{
    /// <summary>Who finds out where endpoints are. To be replaced by one's own, for all services of this server.
    /// </summary>
    IResolver Resolver { get; set; }

    /// <summary>Opens an endpoint. The name is asked for at once; until it is given, nothing can be sent or received.
    /// </summary>
    /// <param name="name">1 to 64 bytes of UTF-8, or a decimal number below 65,536; unique in the cube.</param>
    /// <param name="options">How; null: the defaults.</param>
    /// <param name="endpoint">The endpoint, the caller's, which disposes of it.</param>
    EndpointOpen TryOpen(string name, EndpointOptions? options, [NotNullWhen(true)] out IEndpoint? endpoint);

    /// <summary>Most bytes of all items of a short message together.</summary>
    /// <param name="items">How many items, 0 to 255.</param>
    int ShortRoom(int items);

    /// <summary>
    /// Takes a window from the messenger's memory: the one that was returned last of those of its size (powers of two).
    /// False: the memory (<c>WindowMemory</c>) is used up, or the length is not from 1 to 1 GiB.
    /// </summary>
    /// <param name="length">Bytes that are needed; the window may have more.</param>
    /// <param name="window">The window, the caller's until <see cref="ReturnWindow"/>.</param>
    bool TryRentWindow(int length, [NotNullWhen(true)] out Window? window);

    /// <summary>Gives a window back that was rented.</summary>
    /// <exception cref="ArgumentException">It is not free, or none of the messenger's, or was given back.</exception>
    void ReturnWindow(Window window);

    /// <summary>The endpoints of this server, by name. Allocates.</summary>
    IReadOnlyList<EndpointNumbers> List();

    /// <summary>What is in use now, each with a number that is 0 when all endpoints are closed and all messages
    /// released: for tests. Allocates.</summary>
    IReadOnlyList<(string What, long Count)> Leftovers() => [];
}
