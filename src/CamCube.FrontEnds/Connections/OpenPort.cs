using System.Net.Sockets;

namespace CamCube.FrontEnds.Connections;

/// <summary>A socket that listens.</summary>
/// <param name="Socket">The socket.</param>
/// <param name="HasTls">Whether its clients must speak TLS.</param>
internal readonly record struct OpenPort(Socket Socket, bool HasTls);
