using System.Net;

namespace CamCube;

/// <summary>Where a front end listens: base port plus rank in an in-process cube, the base port itself on a real
/// server.</summary>
/// <param name="Address">Local address; loopback unless configured otherwise; <see cref="IPAddress.None"/> for a front
/// end without a port.</param>
/// <param name="Port">Port; 0 for a front end without one.</param>
public sealed record FrontEndEndpoint(IPAddress Address, int Port);
