namespace CamCube.Messaging.Streams.Connections;

/// <summary>Names a connection on one server.</summary>
/// <param name="Peer">The server at the other end.</param>
/// <param name="Number">The opener's number.</param>
/// <param name="IsOpener">Whether this side opened it.</param>
internal readonly record struct ConnectionKey(Coordinate Peer, uint Number, bool IsOpener);
