namespace CamCube.Services.Messenger;

/// <summary>Where an endpoint is, and which opening of it. A message goes to one place and to no other.</summary>
/// <param name="Server">The owner's server.</param>
/// <param name="Run">The run of the messenger there (never 0); another after each restart.</param>
/// <param name="Term">Number of the opening: grows with each opening of the name; 0: nothing is known.</param>
public readonly record struct EndpointPlace(Coordinate Server, ulong Run, uint Term)
{
    /// <summary>Whether it is a place.</summary>
    public bool IsKnown => Term != 0;

    /// <summary>Who keeps the name when two have it, as after a partition: the larger (term, run,
    /// coordinate).</summary>
    public bool Beats(in EndpointPlace other) =>
        (Term, Run, Server.Packed).CompareTo((other.Term, other.Run, other.Server.Packed)) > 0;
}
