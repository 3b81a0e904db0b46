namespace CamCube.Services.KeyValue;

/// <summary>What one server knows of one group: of the keys of one table that have their home at one server and take
/// the same way to the others.</summary>
/// <param name="Table">The table.</param>
/// <param name="Home">The home of its keys.</param>
/// <param name="Sequence">Which of the 48 replica sequences they take.</param>
public readonly record struct KeyValueGroup(int Table, Coordinate Home, int Sequence)
{
    /// <summary>The number of its members' epoch, from 1; 0: it is not born yet, as far as is known here.</summary>
    public uint Epoch { get; init; }

    /// <summary>How often stores of it that were gone for good were given up by hand.</summary>
    public uint Generation { get; init; }

    /// <summary>The servers that have it, the preferred leader first.</summary>
    public required IReadOnlyList<Coordinate> Members { get; init; }

    /// <summary>Members that are away, by position.</summary>
    public int Away { get; init; }

    /// <summary>Members whose stores cannot be reached from here, by position.</summary>
    public int Unreachable { get; init; }

    /// <summary>For how long no majority of the members' stores can be reached from here; zero: one can.</summary>
    public TimeSpan WithoutMajority { get; init; }

    /// <summary>The server that leads; null: none is known.</summary>
    public Coordinate? Leader { get; init; }

    /// <summary>The index of the last change that is applied here.</summary>
    public ulong Applied { get; init; }

    /// <summary>The index of the last change that is in the log here.</summary>
    public ulong Last { get; init; }

    /// <summary>Bytes of the changes that are in the log here and not applied.</summary>
    public long BehindBytes { get; init; }
}
