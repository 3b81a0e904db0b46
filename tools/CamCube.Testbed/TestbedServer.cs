namespace CamCube.Testbed;

/// <summary>A server of a testbed.</summary>
/// <param name="Coordinate">Its place in the cabling, as x,y,z.</param>
/// <param name="Namespace">The name of its network namespace.</param>
/// <param name="Identity">Who that namespace is (<see cref="NetworkNamespace.IdentityOf"/>).</param>
/// <param name="Process">Its process, as it was started last; null before.</param>
public sealed record TestbedServer(string Coordinate, string Namespace, string Identity, ProcessMark? Process);
