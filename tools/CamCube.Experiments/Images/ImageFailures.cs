namespace CamCube.Experiments.Images;

/// <summary>Pictures that were put while servers failed.</summary>
/// <param name="Points">Of points in time, in seconds after the first puts: servers that had failed, and bits per
/// second.</param>
/// <param name="Acknowledged">Images that were acknowledged.</param>
/// <param name="Kept">Of those, images that two of their three servers have at the end.</param>
/// <param name="Readable">Of those, images that were found at the end.</param>
internal sealed record ImageFailures(
    IReadOnlyList<(double Seconds, int Failed, double BitsPerSecond)> Points,
    int Acknowledged,
    int Kept,
    int Readable
);
