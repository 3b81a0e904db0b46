using CamCube.Shim.Udp.Endpoints;
using CamCube.Shim.Udp.Sealing;

namespace CamCube.Shim.Udp.Ports;

/// <summary>What a port needs of the world besides its socket.</summary>
/// <param name="Resolve">Looks names up, off the loop.</param>
/// <param name="Random">Where nonces come from.</param>
/// <param name="Wake">Wakes the loop; any thread.</param>
/// <param name="News">Takes lines for people; loop only.</param>
internal sealed record PortEnvironment(NameResolver Resolve, NonceSource Random, Action Wake, Action<LinkNews> News);
