namespace CamCube.Services.Tunnel.Commands;

/// <summary>Name and addresses of a server in the tunnel, in JSON.</summary>
/// <param name="Server">The server.</param>
/// <param name="Name">Its name.</param>
/// <param name="Address4">Its IPv4 address.</param>
/// <param name="Address6">Its IPv6 address.</param>
internal sealed record HostRow(string Server, string Name, string Address4, string Address6);
