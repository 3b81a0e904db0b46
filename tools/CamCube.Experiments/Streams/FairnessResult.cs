namespace CamCube.Experiments.Streams;

/// <summary>How streams share one link.</summary>
/// <param name="Shares">Part of the link that each fills.</param>
/// <param name="Drops">Packets that any server dropped.</param>
internal sealed record FairnessResult(IReadOnlyList<double> Shares, long Drops)
{
    /// <summary>Most that waited for the link after the first 200 ms, in bytes of full frames.</summary>
    public required double MostWaiting { get; init; }

    /// <summary>Most packets that waited, with the acknowledgements among them.</summary>
    public required int MostPacketsWaiting { get; init; }

    /// <summary><see cref="MostWaiting"/> of the first 200 ms.</summary>
    public required double MostWaitingFirst { get; init; }

    /// <summary>Part of the link that all of them fill.</summary>
    public double Sum => Shares.Sum();

    /// <summary>Jain's index: 1 if all get the same, 1 / n if one gets all.</summary>
    public double Jain => Sum * Sum / (Shares.Count * Shares.Sum(share => share * share));
}
