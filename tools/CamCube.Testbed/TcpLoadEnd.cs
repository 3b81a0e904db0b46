using System.Net;

namespace CamCube.Testbed;

/// <summary>Who sends and receives in a <see cref="TcpLoad"/>.</summary>
/// <param name="Name">What people call it.</param>
/// <param name="Namespace">Its network namespace.</param>
/// <param name="Address">Its address there.</param>
public sealed record TcpLoadEnd(string Name, string Namespace, IPAddress Address);
