namespace CamCube.Experiments.Camdoop;

/// <summary>How the shuffle of one job went: from when its first reduce begins to pull, all map tasks being done, to
/// when the last has all pairs.</summary>
/// <param name="BeganNanos">When it began, in virtual nanoseconds.</param>
/// <param name="Seconds">How long it took.</param>
/// <param name="Bytes">Intermediate bytes of all servers, as records.</param>
/// <param name="Roots">The server of each reduce, by rank, as planned.</param>
/// <param name="Digest">What the output is, in short.</param>
internal sealed record ShuffleResult(
    long BeganNanos,
    double Seconds,
    long Bytes,
    IReadOnlyList<int> Roots,
    string Digest
)
{
    /// <summary>Bytes of records that came over each directed cable: from a server, out of its link. Of all jobs that
    /// ran together.</summary>
    public IReadOnlyDictionary<(int Rank, Link Link), long> OnLinks { get; init; } =
        new Dictionary<(int Rank, Link Link), long>();

    /// <summary>Most bytes of credit and unsent data that streams of one server had at once.</summary>
    public long QueueBytes { get; init; }
}
