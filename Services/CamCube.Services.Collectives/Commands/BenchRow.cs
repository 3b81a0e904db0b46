using CamCube.Services.Collectives.Measuring;

namespace CamCube.Services.Collectives.Commands;

/// <summary>A measurement, as JSON has it.</summary>
/// <param name="Id">Its number.</param>
/// <param name="State">running, done or failed.</param>
/// <param name="Words">Why it failed; null: it did not.</param>
/// <param name="Operation">What is measured.</param>
/// <param name="Type">What the elements are.</param>
/// <param name="Operator">How two become one.</param>
/// <param name="Members">How many take part.</param>
/// <param name="Rounds">How often each size is timed.</param>
/// <param name="Sizes">What was measured so far.</param>
internal sealed record BenchRow(
    string Id,
    string State,
    string? Words,
    string Operation,
    string Type,
    string Operator,
    int Members,
    int Rounds,
    IReadOnlyList<BenchSizeRow> Sizes
)
{
    /// <summary>A measurement.</summary>
    public static BenchRow Of(Measurement measurement) =>
        new(
            CollectivesCommands.NameOf(measurement.Terms.Number),
            CollectivesCommands.NameOf($"{measurement.Stage}"),
            measurement.Words,
            $"{measurement.Terms.Kind}".ToLowerInvariant(),
            $"{measurement.Terms.Type}".ToLowerInvariant(),
            $"{measurement.Terms.Operator}".ToLowerInvariant(),
            measurement.Terms.Members.Length,
            measurement.Terms.Rounds,
            [.. measurement.Sizes.Select(size => BenchSizeRow.Of(measurement.Terms, size))]
        );
}
