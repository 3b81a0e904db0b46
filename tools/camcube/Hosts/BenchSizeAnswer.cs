namespace CamCube.Tool.Hosts;

/// <summary>What was measured with one size.</summary>
internal sealed record BenchSizeAnswer(
    int Bytes,
    int Count,
    double Seconds,
    double AlgorithmBytesPerSecond,
    double BusBytesPerSecond,
    long Wrong
);
