using System.Diagnostics.CodeAnalysis;
using System.Runtime.Versioning;

namespace CamCube.FrontEnds.Loop;

/// <summary>
/// A round over all clients of a loop that may take several turns, from the last of the list to the first. A client
/// that ends has the last one put into its place, so of those that were there at the beginning nobody is left out. Loop
/// only.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class ClientRound
{
    private int _left;

    /// <summary>Whether somebody is left.</summary>
    public bool IsOn => _left > 0;

    /// <summary>A round begins.</summary>
    public void Begin(List<LoopConnection> clients) => _left = clients.Count;

    /// <summary>The next one. False: all had theirs.</summary>
    public bool TryNext(List<LoopConnection> clients, [NotNullWhen(true)] out LoopConnection? client)
    {
        _left = Math.Min(_left, clients.Count);
        client = _left > 0 ? clients[--_left] : null;
        return client is not null;
    }
}
