using CamCube.Services.Camdoop;

namespace CamCube.Experiments.Camdoop;

/// <summary>A job of a figure: counts keys.</summary>
/// <param name="Reduces">Reduces, R.</param>
/// <param name="Combines">Pairs are combined at every server on the way.</param>
internal sealed record ShuffleJob(int Reduces, bool Combines)
{
    /// <summary>Which trees.</summary>
    public JobTrees Trees { get; init; } = JobTrees.Six;

    /// <summary>Bits per second of pairs that a reduce takes; 0: as many as come.</summary>
    public long ReduceRate { get; init; }

    /// <summary>Rank of the first reduce's server.</summary>
    public int FirstRoot { get; init; }

    /// <summary>Ranks of the servers that have its input; null: all.</summary>
    public IReadOnlyList<int>? Homes { get; init; }

    /// <summary>Ranks of those that it runs on; null: all.</summary>
    public IReadOnlyList<int>? Servers { get; init; }
}
