using System.Net;

namespace CamCube.Shim.Udp.Endpoints;

/// <summary>Finds the addresses of a name, off the loop: the system's resolver, or a test's.</summary>
internal delegate Task<IPAddress[]> NameResolver(string host);
