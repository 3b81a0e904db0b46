using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>One counter of a service.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Unit">What it counts: <c>{packet}</c>, <c>By</c>.</param>
/// <param name="Link">The link it counts for; null if it does not count per link.</param>
/// <param name="Value">The count.</param>
public sealed record CounterAnswer([property: JsonRequired] string Name, string Unit, string? Link, long Value)
{
    /// <summary>The label it counts for: <c>endpoint</c>; null if it does not count per label.</summary>
    public string? Label { get; init; }

    /// <summary>The label's value; null if it does not count per label.</summary>
    public string? Of { get; init; }
}
