namespace CamCube.Services.Camdoop;

/// <summary>How lines become pairs and pairs lines. All as Hadoop Streaming has it. Immutable.</summary>
public sealed record JobText
{
    /// <summary>What lies between key and value in lines that the map function gives. One or more bytes, as
    /// UTF-8.</summary>
    public string MapOutputSeparator { get; init; } = "\t";

    /// <summary>So many fields of such a line are its key, at least 1.</summary>
    public int MapOutputKeyFields { get; init; } = 1;

    /// <summary>How bytes of the input become records.</summary>
    public JobInput Input { get; init; } = JobInput.Lines;

    /// <summary>What ends the key of a <see cref="JobInput.KeyedLines"/>.</summary>
    public string InputSeparator { get; init; } = "\t";

    /// <summary>Lines of input per map task, at least 1; of <see cref="JobInput.LinesByNumber"/>.</summary>
    public int LinesPerMap { get; init; } = 1;

    /// <summary>Whether the map function gets keys of records, too: a program key, <see cref="MapInputSeparator"/> and
    /// value in a line; <see cref="JobFunctionKind.Identity"/> gives key and value instead of one key.</summary>
    public bool MapInputHasKey { get; init; }

    /// <summary>What lies between key and value in lines that the map function gets, if it gets both.</summary>
    public string MapInputSeparator { get; init; } = "\t";

    /// <summary>What lies between key and value in lines that the reduce function gets.</summary>
    public string ReduceInputSeparator { get; init; } = "\t";

    /// <summary>What lies between key and value in lines that the reduce function gives.</summary>
    public string ReduceOutputSeparator { get; init; } = "\t";

    /// <summary>So many fields of such a line are its key, at least 1.</summary>
    public int ReduceOutputKeyFields { get; init; } = 1;

    /// <summary>What lies between key and value in files of output.</summary>
    public string OutputSeparator { get; init; } = "\t";

    /// <summary>What lies between fields of a key where <see cref="SortFields"/>, <see cref="PartitionFields"/> or
    /// <see cref="PartitionKeyFields"/> name some.</summary>
    public string KeySeparator { get; init; } = "\t";

    /// <summary>What pairs are sorted by, and are one key's if it is the same; empty: all bytes of a key.</summary>
    public IReadOnlyList<KeyFields> SortFields { get; init; } = [];

    /// <summary>So many fields of a key say which reduce it goes to; 0: <see cref="PartitionFields"/> do.</summary>
    public int PartitionKeyFields { get; init; }

    /// <summary>What of a key says which reduce it goes to; empty: all of it.</summary>
    public IReadOnlyList<KeyFields> PartitionFields { get; init; } = [];

    /// <summary>Whether only LF ends a line of the input. Otherwise CR and CR LF do, too.</summary>
    public bool EndsAtLineFeedOnly { get; init; }

    /// <summary>What else than the end of a line ends a record of the input; empty: nothing.</summary>
    public string RecordDelimiter { get; init; } = "";
}
