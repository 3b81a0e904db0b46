using CamCube.Services.Camdoop.Assemblies;
using CamCube.Services.Camdoop.Counting;
using CamCube.Services.Camdoop.Functions;
using CamCube.Services.Camdoop.Outputs;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Records;
using CamCube.Services.Camdoop.Wire;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>What the tasks of one server have in common. Loop only.</summary>
/// <param name="Server">The server.</param>
/// <param name="Options">Settings.</param>
/// <param name="Files">The file store.</param>
/// <param name="Store">The key-value store.</param>
/// <param name="Programs">Starts programs.</param>
/// <param name="Functions">Has functions in C#.</param>
/// <param name="Outputs">Keeps what map tasks give.</param>
/// <param name="Pulls">Pulls of pairs.</param>
internal sealed record TaskTerms(
    IServer Server,
    CamdoopOptions Options,
    Dependency<IFiles> Files,
    Dependency<IKeyValueStore> Store,
    ProgramHost Programs,
    FunctionHost Functions,
    OutputStore Outputs,
    PullEndpoint<CamdoopHeader, PairPull> Pulls
)
{
    // Any head of a record.
    private const int HeadCredit = 4_096;

    /// <summary>A mistake that is made on purpose.</summary>
    public CamdoopMistake Mistake { get; set; }

    /// <summary>What the server counts.</summary>
    public CamdoopCounters Counters { get; } = new(Server.Counters);

    /// <summary>Places for map tasks.</summary>
    public TaskSlots MapSlots { get; } = new(Options.MapSlots);

    /// <summary>What combines pairs of a job, in the process; null: nothing does.</summary>
    /// <param name="job">The job.</param>
    /// <param name="functions">Its functions in C#, for who is to combine; null: it has none.</param>
    public static IPairCombiner? CombinerOf(Job job, FunctionSet? functions) =>
        !CombinesInProcess(job) ? null
        : job.Description.Combine!.Kind == JobFunctionKind.Aggregate ? AggregateCombiner.Instance
        : functions;

    /// <summary>Whether pairs of a job are combined in the process.</summary>
    public static bool CombinesInProcess(Job job) =>
        job.Description
            is { Combine.Kind: JobFunctionKind.Function }
                or { Combine.Kind: JobFunctionKind.Aggregate, Text.SortFields.Count: 0 };

    /// <summary>Whether pairs of a key become one at each vertex.</summary>
    public static bool CombinesOnTheWay(Job job) =>
        job.Description is { CombinesOnTheWay: true, Trees: not JobTrees.None } && CombinesInProcess(job);

    /// <summary>Bytes that an edge of a job's trees has for itself at each end: what is combined has to be here as a
    /// whole.</summary>
    public static int LeastCreditOf(Job job) =>
        CombinesOnTheWay(job) ? Math.Max(HeadCredit, job.Record.MostRecord) : HeadCredit;
}
