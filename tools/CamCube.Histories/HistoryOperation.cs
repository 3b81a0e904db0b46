namespace CamCube.Histories;

/// <summary>One operation of one client, which has one at a time.</summary>
public sealed record HistoryOperation
{
    /// <summary>The client.</summary>
    public int Client { get; init; }

    /// <summary>The key.</summary>
    public required string Key { get; init; }

    /// <summary>What was asked.</summary>
    public HistoryKind Kind { get; init; }

    /// <summary>Of a put, the value; of a get that was done, what it gave; of a loss, what is left. Values of a key
    /// differ from each other, but of a key that is counted: there they are numbers, and that of an add is its
    /// sum.</summary>
    public string? Value { get; init; }

    /// <summary>Of an add: by how much.</summary>
    public long By { get; init; }

    /// <summary>Of a put or delete: only if the key has this version. Null: whatever it has; 0: only if there is no
    /// such key.</summary>
    public ulong? IfVersion { get; init; }

    /// <summary>Of a put or delete: only if there is such a key, whatever version it has.</summary>
    public bool IfPresent { get; init; }

    /// <summary>Of a put or delete: only if the key has this value, or so the client was told afterwards: it is what it
    /// replaced. Never in a conflict: who asks so and is refused learns nothing that is looked at. Null: whatever it
    /// has.</summary>
    public string? IfValue { get; init; }

    /// <summary>When it began, on a clock that all clients share; any unit.</summary>
    public long Begin { get; init; }

    /// <summary>When the answer was there. Not looked at where it is <see cref="HistoryAnswer.Unknown"/>.</summary>
    public long End { get; init; }

    /// <summary>What came of it.</summary>
    public HistoryAnswer Answer { get; init; }

    /// <summary>The version that was said: of a put, its own; of a get, that of the value; of a conflict, the one in
    /// its way. 0: none was said.</summary>
    public ulong Version { get; init; }

    /// <summary>Of a loss: the version of the value that is left. 0: none is. What was lost has versions above it, and
    /// below <see cref="Version"/>, which all that comes later is above. 0 there: nothing is said of them.</summary>
    public ulong Kept { get; init; }

    /// <summary>What was asked for together with others, at one moment or not at all: a number that they share, and
    /// nobody else has. Each is an operation of its own key; who asked, times, answer and version are the same. Of a
    /// condition that held, what somebody sees who asks for another version. 0: alone.</summary>
    public long Batch { get; init; }

    /// <inheritdoc/>
    public override string ToString()
    {
        string condition =
            IfVersion is { } version ? $" if {version}"
            : IfValue is not null ? $" over {IfValue}"
            : IfPresent ? " if present"
            : "";
        string value = Value is null ? "" : $" {Value}";
        string end = Answer == HistoryAnswer.Unknown ? "never" : $"{End}";
        string put = Kind == HistoryKind.Put ? value : "",
            by = Kind == HistoryKind.Add ? $" {By}" : "",
            got = Kind is HistoryKind.Get or HistoryKind.Add or HistoryKind.Loss ? value : "",
            said = Kind == HistoryKind.Loss && Kept > 0 ? $", left is version {Kept}"
            : Version > 0 ? $", version {Version}"
            : "";
        string batch = Batch > 0 ? $" in batch {Batch}" : "";
        return $"client {Client}: {Kind} {Key}{put}{by}{condition}{batch} from {Begin} to {end}: {Answer}{got}{said}";
    }
}
