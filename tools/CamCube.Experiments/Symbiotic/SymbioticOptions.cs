namespace CamCube.Experiments.Symbiotic;

/// <summary>What four services are to do in one cube, at the same time.</summary>
internal sealed record SymbioticOptions
{
    /// <summary>Axis sizes.</summary>
    public required TorusShape Shape { get; init; }

    /// <summary>Of all that is random.</summary>
    public required ulong Seed { get; init; }

    /// <summary>Whether services route their packets themselves; else all go by base routing.</summary>
    public required bool IsOwn { get; init; }

    /// <summary>Virtual time that counts. All has to be done by then.</summary>
    public TimeSpan Time { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Items of the cache.</summary>
    public int Items { get; init; } = 50;

    /// <summary>Reads of the cache in a millisecond, of random items through random servers.</summary>
    public int Reads { get; init; } = 10;

    /// <summary>One of so many is a change instead.</summary>
    public int ReadsPerChange { get; init; } = 100;

    /// <summary>A server sends a datagram so often.</summary>
    public TimeSpan PerDatagram { get; init; } = TimeSpan.FromMilliseconds(2);

    /// <summary>Bytes of the vector that each server has, and that become one.</summary>
    public int VectorBytes { get; init; } = 1 << 20;

    /// <summary>Bytes of the file that comes to all.</summary>
    public int FileBytes { get; init; } = 2 << 20;
}
