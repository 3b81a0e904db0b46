namespace CamCube.Chaos.Jobs;

/// <summary>The jobs of a run, as the servers' command <c>run</c> reads them. They last some seconds: map tasks sleep,
/// and reduces take so many bits a second.</summary>
internal static class JobKinds
{
    private const string CountWords =
        "sleep 2; exec awk '{ for (i = 1; i <= NF; i++) print \"LongValueSum:\" $i \"\\t1\" }'";

    // All that a word was beside comes as values of one key.
    private const string Neighbours = "sleep 2; exec awk '{ for (i = 2; i <= NF; i++) print $i \"\\t\" $(i - 1) }'";

    /// <summary>Pairs are combined at every server on the way.</summary>
    public const string Combined = "words";

    /// <summary>Pairs are merged only, many to a key.</summary>
    public const string Merged = "neighbours";

    /// <summary>Reduces of each.</summary>
    public const int Reduces = 3;

    /// <summary>All of them.</summary>
    public static IReadOnlyList<string> All { get; } = [Combined, Merged];

    /// <summary>What a server is told.</summary>
    /// <param name="kind">One of <see cref="All"/>.</param>
    /// <param name="output">Where the output goes.</param>
    public static object Describe(string kind, string output)
    {
        string[] command = ["/bin/sh", "-c", kind == Combined ? CountWords : Neighbours];
        object aggregate = new { kind = "aggregate" };
        return new
        {
            title = kind,
            inputs = (string[])[JobInput.Folder],
            output,
            map = new { kind = "program", command },
            combine = kind == Combined ? aggregate : null,
            reduce = kind == Combined ? aggregate : new { kind = "identity" },
            reduces = Reduces,
            reduceRate = kind == Combined ? 500_000L : 2_500_000L,
        };
    }
}
