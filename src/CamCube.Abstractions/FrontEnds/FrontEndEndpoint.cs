using System.Net;

namespace CamCube;

/// <summary>Where a front end listens: base port plus rank in an in-process cube, the base port itself on a real server.</summary>
/// <param name="Address">Local address; loopback unless configured otherwise.</param>
/// <param name="Port">Port.</param>
public sealed record FrontEndEndpoint(IPAddress Address, int Port);
