namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>One option of Hadoop Streaming: a row of the table that the parser, the help and docs/streaming.md come
/// from. Immutable.</summary>
/// <param name="Name">As in <c>-input</c> or <c>mapreduce.job.reduces</c>.</param>
/// <param name="OldName">What it was called before; null: the same.</param>
/// <param name="Treatment">What becomes of it.</param>
/// <param name="Does">What it does, or why it is refused; a part of a sentence.</param>
internal sealed record StreamingOption(string Name, string? OldName, StreamingTreatment Treatment, string Does)
{
    /// <summary>What stands for its value in the help; null: it has none.</summary>
    public string? Value { get; init; }

    /// <summary>Whether it may stand more than once.</summary>
    public bool IsRepeatable { get; init; }

    /// <summary>Takes its value; null: nothing is done.</summary>
    public Action<StreamingDraft, StreamingValue>? Take { get; init; }

    /// <summary>Its names, the new one first.</summary>
    public IEnumerable<string> Names => OldName is null ? [Name] : [Name, OldName];
}
