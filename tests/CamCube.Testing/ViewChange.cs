namespace CamCube.Testing;

/// <summary>A change of one server's view.</summary>
/// <param name="Server">Whose view.</param>
/// <param name="Change">The change.</param>
public sealed record ViewChange(Coordinate Server, TopologyChange Change);
