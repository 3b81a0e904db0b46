using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>How large the shuffles of a figure are.</summary>
/// <param name="Shape">The cube.</param>
/// <param name="BytesPerServer">Intermediate bytes of each server, about.</param>
public sealed record ShuffleSize(TorusShape Shape, int BytesPerServer)
{
    // "LongValueSum:", 4 to 28 letters, a digit, and both lengths.
    private const double BytesPerKey = 13 + 16 + 1 + 2;

    /// <summary>Dots behind each key: there are fewer then, and time on cables is the same.</summary>
    public int Padding { get; init; }

    /// <summary>Keys of each server.</summary>
    public int KeysPerServer => (int)(BytesPerServer / (BytesPerKey + Padding));

    /// <summary>Draws keys.</summary>
    public SharedKeys KeysOf(FigureRun run, double share)
    {
        ArgumentNullException.ThrowIfNull(run);
        return new SharedKeys(Shape.Count, KeysPerServer, share, run.Options.Seed, Padding);
    }

    /// <summary>Settings of the cube.</summary>
    internal ShuffleTerms Terms { get; init; } = new();
}
