namespace CamCube.Services.KeyValue.Commands;

/// <summary>The end of an operation, in JSON. Versions are texts: most readers of JSON lose digits of such
/// numbers.</summary>
internal sealed record OperationRow(KeyValueStatus Status, string Version, long Length, int Copies, int Hops)
{
    /// <summary>How long it took.</summary>
    public double Micros { get; init; }

    /// <summary>What the value is, with info.</summary>
    public string? ContentType { get; init; }

    /// <summary>What else its client keeps beside it, with info.</summary>
    public IReadOnlyList<KeyValuePair<string, string>>? Metadata { get; init; }

    public static OperationRow Of(KeyValueAnswer answer, double micros = 0) =>
        new(answer.Status, $"{answer.Version}", answer.Length, answer.Copies, answer.Hops) { Micros = micros };
}
