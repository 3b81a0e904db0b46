using CamCube.FrontEnds.Protocols;

namespace CamCube.FrontEnds.Connections;

/// <summary>The protocol of one client on pool threads, and what it works with.</summary>
/// <param name="Protocol">The protocol.</param>
/// <param name="Turn">Its own.</param>
internal readonly record struct ServedProtocol(IConnectionProtocol Protocol, ConnectionTurn Turn);
