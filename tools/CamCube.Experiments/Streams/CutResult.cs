namespace CamCube.Experiments.Streams;

/// <summary>What became of a stream when a cable on its way was cut.</summary>
/// <param name="Goodput">Links that it filled, from each time in milliseconds after the cut on.</param>
/// <param name="NoticedNanos">After how long the server before the cable knew.</param>
/// <param name="StallNanos">The longest time without a byte for the reader.</param>
/// <param name="RoundTripNanos">A round trip of the path, before.</param>
/// <param name="Lost">Bytes that were written and not read.</param>
/// <param name="Wrong">Pieces that were not what was written.</param>
internal sealed record CutResult(
    IReadOnlyList<(double Milliseconds, double Links)> Goodput,
    long NoticedNanos,
    long StallNanos,
    long RoundTripNanos,
    long Lost,
    long Wrong
);
