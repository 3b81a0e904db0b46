namespace CamCube.Trees;

/// <summary>How a pull shares links and memory with others.</summary>
public readonly record struct PullTerms
{
    /// <summary>The cable of the tree's edge, seen from who pulls; null: there is none. While the vertex is played
    /// where its key's home is, its answer comes by that cable alone, so that trees share no link; else by all
    /// link-disjoint paths.</summary>
    public Link? Edge { get; init; }

    /// <summary>Pulls of different channels share links by their weights: a channel per job.</summary>
    public ushort Channel { get; init; }

    /// <summary>The channel's weight, from 1, which 0 stands for, to
    /// <see cref="Messaging.StreamParameters.MostWeight"/>.</summary>
    public int Weight { get; init; }

    /// <summary>While the vertex's own server is away, who pulls plays the vertex itself, and not the root of its key:
    /// what it would get from there comes by the same cables of its own.</summary>
    public bool StandsIn { get; init; }

    /// <summary>Bytes that both ends set apart for this pull alone, so that it goes on whatever others hold.</summary>
    public int LeastCredit { get; init; }

    /// <summary>Counts what this pull takes, with others; null: nobody asks.</summary>
    public PullTally? Tally { get; init; }
}
