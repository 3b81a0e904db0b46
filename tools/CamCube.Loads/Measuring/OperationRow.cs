namespace CamCube.Loads.Measuring;

/// <summary>What came of operations of one kind. Times are of those that were done, from when they were to be sent to
/// when their answer was there.</summary>
/// <param name="Operation">The kind.</param>
/// <param name="Count">Those that were done.</param>
/// <param name="PerSecond">Of them.</param>
/// <param name="MeanMicros">Mean time; 0: none was done.</param>
/// <param name="P50Micros">What half of them took at most.</param>
/// <param name="P95Micros">95 of 100.</param>
/// <param name="P99Micros">99 of 100.</param>
/// <param name="P999Micros">999 of 1,000.</param>
/// <param name="MaxMicros">The longest.</param>
/// <param name="Errors">Those that were not done, by kind.</param>
public sealed record OperationRow(
    string Operation,
    long Count,
    double PerSecond,
    double MeanMicros,
    double P50Micros,
    double P95Micros,
    double P99Micros,
    double P999Micros,
    double MaxMicros,
    IReadOnlyDictionary<string, long> Errors
);
