namespace CamCube.Experiments.Generated;

/// <summary>What was generated: all that is needed to make it again, and to know what should come out of it.</summary>
/// <param name="Kind">sort, strings or text.</param>
/// <param name="Seed">Its seed.</param>
/// <param name="Files">The files, in order.</param>
public sealed record GeneratedData(string Kind, ulong Seed, IReadOnlyList<GeneratedFile> Files)
{
    /// <summary>Bytes of all files.</summary>
    public long Bytes => Files.Sum(static file => file.Bytes);

    /// <summary>S as it came out: different keys, for each key of a file; 0 of sort.</summary>
    public double Share { get; init; }

    /// <summary>Different keys, or records of sort.</summary>
    public long Keys { get; init; }

    /// <summary>How many keys are in 0, 1, 2 and so on files; empty of sort.</summary>
    public IReadOnlyList<long> FilesPerKey { get; init; } = [];

    /// <summary>How many keys each file has in common with each, row by row; empty of sort, and of more than
    /// <see cref="MostInCommon"/> files.</summary>
    public IReadOnlyList<IReadOnlyList<long>> InCommon { get; init; } = [];

    /// <summary>Of sort: the sum of all records' CRC-32, in hexadecimal, as valsort prints it; empty else.</summary>
    public string Checksum { get; init; } = "";

    /// <summary>Most files of which <see cref="InCommon"/> is told.</summary>
    public const int MostInCommon = 64;
}
