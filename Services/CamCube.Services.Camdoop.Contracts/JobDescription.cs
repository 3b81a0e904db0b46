namespace CamCube.Services.Camdoop;

/// <summary>What a job is to do. Immutable; kept in the file store as JSON.</summary>
/// <param name="Inputs">Files, directories and patterns (docs/files.md) of the file store, one or more. Of a directory
/// its files count, without those whose names begin with <c>_</c> or a dot.</param>
/// <param name="Output">A directory of the file store that is not there yet.</param>
public sealed record JobDescription(IReadOnlyList<string> Inputs, string Output)
{
    /// <summary>Most reduces.</summary>
    public const int MostReduces = 10_000;

    /// <summary>Most attempts at a task.</summary>
    public const int MostAttempts = 100;

    /// <summary>What people call it; empty: nothing.</summary>
    public string Title { get; init; } = "";

    /// <summary>What makes pairs of the lines of the input.</summary>
    public JobFunction Map { get; init; } = JobFunction.Identity;

    /// <summary>What makes one pair of several with one key, wherever they meet; null: nothing does.</summary>
    public JobFunction? Combine { get; init; }

    /// <summary>What makes the output of all pairs of a key.</summary>
    public JobFunction Reduce { get; init; } = JobFunction.Identity;

    /// <summary>A .NET assembly in the file store that has the functions which are types; empty: none is. Others that
    /// it needs are looked for among <see cref="Files"/>, by their names: <c>Name.dll</c>.</summary>
    public string Assembly { get; init; } = "";

    /// <summary>The type of the assembly that says which reduce a pair goes to (<see cref="IPartitioner"/>); empty: its
    /// key's hash does.</summary>
    public string Partitioner { get; init; } = "";

    /// <summary>Reduces, and so files of output, 0 to <see cref="MostReduces"/>. 0: what map tasks give is the output,
    /// a file each, unsorted.</summary>
    public int Reduces { get; init; } = 1;

    /// <summary>Bytes of input per map task, at least 1; 0: as the file store has cut the files. A file that lies in
    /// several chunks has at least one task for each.</summary>
    public long SplitBytes { get; init; }

    /// <summary>Map tasks that are wished for, so that the bytes of input are cut into at least so many parts, if
    /// <see cref="SplitBytes"/> is 0; 0: none are.</summary>
    public int Maps { get; init; }

    /// <summary>Parts that <see cref="Maps"/> asks for are not shorter than this.</summary>
    public long LeastSplitBytes { get; init; } = 1;

    /// <summary>Files of the file store that are in the working folder of each program.</summary>
    public IReadOnlyList<JobFile> Files { get; init; } = [];

    /// <summary>Environment of each program, as NAME=value; functions in C# are told it, too
    /// (<see cref="FunctionTerms"/>).</summary>
    public IReadOnlyList<string> Environment { get; init; } = [];

    /// <summary>How lines of programs become pairs and pairs lines.</summary>
    public JobText Text { get; init; } = new();

    /// <summary>Attempts at a map task before the job fails, 1 to <see cref="MostAttempts"/>.</summary>
    public int MapAttempts { get; init; } = 4;

    /// <summary>Attempts at a reduce before the job fails, 1 to <see cref="MostAttempts"/>.</summary>
    public int ReduceAttempts { get; init; } = 4;

    /// <summary>So many of a hundred map tasks may fail for good, and the job goes on without them, 0 to 100.</summary>
    public int MapFailuresPercent { get; init; }

    /// <summary>The same of reduces.</summary>
    public int ReduceFailuresPercent { get; init; }

    /// <summary>Whether a map task that takes much longer than others may run a second time elsewhere.</summary>
    public bool RepeatsSlowMaps { get; init; } = true;

    /// <summary>The same of reduces.</summary>
    public bool RepeatsSlowReduces { get; init; } = true;

    /// <summary>Whether functions answer the same each time they get the same. False: no task runs a second time while
    /// it may have been used.</summary>
    public bool IsDeterministic { get; init; } = true;

    /// <summary>How long a program may neither read nor write nor say anything; zero: for ever.</summary>
    public TimeSpan TaskTimeout { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Whether a program that ends with another code than 0 has failed.</summary>
    public bool FailsOnExitCode { get; init; } = true;

    /// <summary>Whether pairs of a key are combined on the way where <see cref="Combine"/> allows it. False: all that
    /// map tasks give goes to the reduces.</summary>
    public bool CombinesOnTheWay { get; init; } = true;

    /// <summary>Rank of the server whose reduce the first one is, from 0; the others follow. Null: it follows from
    /// <see cref="Inputs"/>, so that the same job on the same files gives the same bytes each time: pairs of one key
    /// come in an order that depends on the trees.</summary>
    public int? FirstRoot { get; init; }

    /// <summary>Ranks of the servers that run its map tasks and reduces, in any order, each once; null: all. Others
    /// only merge what passes them on its way, and play the vertices of servers that are lost. <see cref="FirstRoot"/>
    /// is one of them then. What lies elsewhere is read from there.</summary>
    public IReadOnlyList<int>? Servers { get; init; }

    /// <summary>Whether files of output are compressed by gzip, with <c>.gz</c> behind their names.</summary>
    public bool CompressesOutput { get; init; }

    /// <summary>Whether a task that gives nothing makes no file of output.</summary>
    public bool LazyOutput { get; init; }

    /// <summary>Where in the key-value store the pairs of the output go, beside its files; null: nowhere.</summary>
    public JobPairs? Pairs { get; init; }

    /// <summary>Bits per second of pairs that a reduce takes, at most, as a slow one would; 0: as many as
    /// come.</summary>
    public long ReduceRate { get; init; }

    /// <summary>Which trees the pairs go along.</summary>
    public JobTrees Trees { get; init; } = JobTrees.Six;
}
