namespace CamCube.Services.KeyValue;

/// <summary>How a table's keys are kept. As text <c>name=value</c>, several with commas between them.</summary>
internal sealed record TableMode
{
    /// <summary>What a text may have.</summary>
    public const string Words =
        "reads=majority, reads=lease, acknowledge=all, acknowledge=majority, storage=disk, "
        + "storage=memory, sync=group, sync=each";

    /// <summary>Copies of each key; 0: there is no such table.</summary>
    public int Copies { get; init; }

    /// <summary>A leader answers reads without asking, for a time.</summary>
    public bool ReadsByLease { get; init; }

    /// <summary>What a majority has is answered.</summary>
    public bool AcknowledgesByMajority { get; init; }

    /// <summary>Nothing is on any disk: keys are there while a majority of their servers runs.</summary>
    public bool IsInMemory { get; init; }

    /// <summary>Each change has a write and a sync of its own. Each server's own affair: it may be changed at any time.
    /// </summary>
    public bool SyncsEach { get; init; }

    /// <summary>What is decided with the birth of its groups, in words.</summary>
    public string Text => TextOf(ReadsByLease, AcknowledgesByMajority, IsInMemory);

    /// <summary>All of it, in words.</summary>
    public string FullText =>
        $"{TextOf(ReadsByLease, AcknowledgesByMajority, false)},storage={(IsInMemory ? "memory" : "disk")}"
        + $",sync={(SyncsEach ? "each" : "group")}";

    /// <summary>The mode with what a text says.</summary>
    /// <param name="parts">Each is <c>name=value</c>.</param>
    /// <param name="wrong">The part that is none, or names what another has named; null: there is none.</param>
    public TableMode With(ReadOnlySpan<string> parts, out string? wrong)
    {
        TableMode mode = this;
        HashSet<string> named = [];
        wrong = null;
        foreach (string part in parts)
        {
            TableMode? next = part switch
            {
                "reads=majority" => mode with { ReadsByLease = false },
                "reads=lease" => mode with { ReadsByLease = true },
                "acknowledge=all" => mode with { AcknowledgesByMajority = false },
                "acknowledge=majority" => mode with { AcknowledgesByMajority = true },
                "storage=disk" => mode with { IsInMemory = false },
                "storage=memory" => mode with { IsInMemory = true },
                "sync=group" => mode with { SyncsEach = false },
                "sync=each" => mode with { SyncsEach = true },
                _ => null,
            };
            if (next is null || !named.Add(part[..part.IndexOf('=')]))
            {
                wrong = part;
                return this;
            }

            mode = next;
        }

        return mode;
    }

    /// <summary>What is decided with the birth of groups, in words.</summary>
    public static string TextOf(bool hasLeases, bool isByMajority, bool isInMemory) =>
        $"reads={(hasLeases ? "lease" : "majority")},acknowledge={(isByMajority ? "majority" : "all")}"
        + (isInMemory ? ",storage=memory" : "");
}
