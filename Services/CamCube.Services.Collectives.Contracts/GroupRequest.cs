namespace CamCube.Services.Collectives;

/// <summary>A group that is to be opened. All members say the same.</summary>
/// <param name="Name">Its name, 1 to 64 characters. A name that has ended with an error is not used again.</param>
public sealed record GroupRequest(string Name)
{
    /// <summary>A name has at most so many characters.</summary>
    public const int MostName = 64;

    /// <summary>The members: rank 0 first. Empty: all servers of the cube, in the order of their ranks.</summary>
    public IReadOnlyList<Coordinate> Members { get; init; } = [];

    /// <summary>How many bytes it gets on a link where another group gets one, 1 to 1,000.</summary>
    public int Weight { get; init; } = 1;
}
