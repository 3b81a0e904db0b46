using CamCube.Services.Camdoop.Records;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Plans;

/// <summary>A job as all servers have it: what follows from its records and the cube's shape. Immutable; any
/// thread.</summary>
internal sealed class Job
{
    private readonly TorusShape _shape;
    private readonly int[] _members;
    private readonly Coordinate[] _homes;
    private readonly int _firstRoot;
    private readonly int _step;

    /// <summary>A job.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="record">What it is to do.</param>
    /// <param name="plan">How its input was cut.</param>
    /// <param name="shape">The cube.</param>
    public Job(ulong number, JobRecord record, PlanRecord plan, TorusShape shape)
    {
        (Number, Record, Splits, _shape) = (number, record, plan.Splits, shape);
        Kind = shape.Count > 1 && Description.Trees == JobTrees.Six ? TreeKind.Six : TreeKind.Even;
        Trees = !HasTrees ? 1 : TreePlan.CountOf(shape, Kind);
        Groups = new PairGroups(Math.Max(1, Description.Reduces), Trees);
        Limits = new SortLimits(record.SortBytes, record.MostRecord);
        _members = MembersOf(Description, shape);

        // The trees of a job on some servers are those to where its pairs come from.
        _homes = Description.Servers is null
            ? []
            : [.. Splits.Select(static split => split.Home).Distinct().Order().Select(shape.At)];
        int first = Description.FirstRoot is { } rank ? Array.IndexOf(_members, rank % shape.Count) : -1;
        _firstRoot = first >= 0 ? first : Spread(Description.Inputs) % _members.Length;
        _step = StepOf(_members.Length);
    }

    /// <summary>Its number.</summary>
    public ulong Number { get; }

    /// <summary>Its name.</summary>
    public string Name => JobName.Of(Number);

    /// <summary>What is kept of it.</summary>
    public JobRecord Record { get; }

    /// <summary>What it is to do.</summary>
    public JobDescription Description => Record.Description;

    /// <summary>Its map tasks.</summary>
    public IReadOnlyList<Split> Splits { get; }

    /// <summary>Ranks of the servers that run its tasks, in order.</summary>
    public IReadOnlyList<int> Members => _members;

    /// <summary>Which trees its pairs go along.</summary>
    public TreeKind Kind { get; }

    /// <summary>Whether pairs go along trees. Otherwise each reduce asks for those of each map task.</summary>
    public bool HasTrees => Description.Trees != JobTrees.None;

    /// <summary>Trees of each reduce.</summary>
    public int Trees { get; }

    /// <summary>Which group a pair is of.</summary>
    public PairGroups Groups { get; }

    /// <summary>When pairs are sorted.</summary>
    public SortLimits Limits { get; }

    /// <summary>Whether some of its functions are in C#.</summary>
    public bool HasFunctions => JobChecks.HasFunctions(Description);

    /// <summary>Whether map tasks' output is the job's.</summary>
    public bool IsMapOnly => Description.Reduces == 0;

    /// <summary>The key at whose root its tracker is.</summary>
    public static Key KeyOf(ulong number) => Key.OfBytes(BitConverter.GetBytes(number));

    /// <summary>The servers that run tasks of a job, by rank, in order: of those that the cube has.</summary>
    public static int[] MembersOf(JobDescription job, TorusShape shape)
    {
        int[] named = [.. (job.Servers ?? []).Where(rank => rank >= 0 && rank < shape.Count).Distinct().Order()];
        return named.Length > 0 ? named : [.. Enumerable.Range(0, shape.Count)];
    }

    /// <summary>Whether a server, by rank, runs its tasks.</summary>
    public bool Includes(int rank) => Array.BinarySearch(_members, rank) >= 0;

    /// <summary>The server whose reduce it is, by the plan of the cube: reduces are spread evenly, and with as many as
    /// servers each has one.</summary>
    public Coordinate RootOf(int reduce) => RootOf(reduce, 0);

    /// <summary>The same server, or one so many behind it.</summary>
    public Coordinate RootOf(int reduce, int behind) =>
        _shape.At(_members[(int)((_firstRoot + ((long)reduce * _step) + behind) % _members.Length)]);

    /// <summary>The trees of a reduce; of a job without trees its root alone.</summary>
    public TreePlan PlanOf(int reduce)
    {
        Coordinate root = RootOf(reduce);
        return HasTrees
            ? TreePlan.Create(_shape, root, Kind, _homes)
            : TreePlan.Create(_shape, root, TreeKind.One, [root]);
    }

    /// <summary>The map tasks whose pairs join the trees of a reduce at a server; of a job without trees all of them at
    /// the root.</summary>
    public IEnumerable<int> TasksAt(Coordinate at)
    {
        int home = _shape.RankOf(at);
        return Enumerable.Range(0, Splits.Count).Where(task => !HasTrees || Splits[task].Home == home);
    }

    /// <summary>The vertex of a reduce's tree at a server.</summary>
    public VertexId VertexOf(int reduce, int tree, Coordinate at) => new(Number, 0, (uint)reduce, (byte)tree, at);

    private static int Spread(IReadOnlyList<string> inputs) =>
        (int)(Key.OfName(string.Join('\n', inputs)).Middle % int.MaxValue);

    // About the golden part of them, so that neighbours in number are far from each other, and with no factor in
    // common.
    private static int StepOf(int count)
    {
        int step = Math.Max(1, (int)(count * 0.618));
        while (Gcd(step, count) != 1)
        {
            step++;
        }

        return step;
    }

    private static int Gcd(int left, int right) => right == 0 ? left : Gcd(right, left % right);
}
