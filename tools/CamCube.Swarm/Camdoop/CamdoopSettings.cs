using System.Globalization;
using System.Text;
using CamCube.Services.Camdoop;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Swarm;
using CamCube.Swarm.Jobs;

namespace CamCube.Swarm.Camdoop;

/// <summary>What the jobs of one run are: drawn from its seed.</summary>
internal sealed class CamdoopSettings
{
    private readonly List<string[]> _files = [];

    public CamdoopSettings(SwarmOptions options)
    {
        Random random = SwarmRandom.Of(options.Seed, "camdoop settings");
        Store = new KeyValueOptions
        {
            Silence = options.DetectionTime * (random.Next(3) == 0 ? 0.5 : 1),
            Timeout = options.DetectionTime * random.Next(3, 16),
        };
        Store.SlowAfter = Store.Silence * random.Next(2, 6);
        Store.ReplicateAfter = Store.Silence * (random.Next(3) == 0 ? 1_000 : random.Next(3, 20));
        Files = new FilesOptions { ChunkBytes = random.Next(1_000, 20_000) };

        // Smaller than may be set: many runs of each task, some on disks, and streams that wait for each other.
        Camdoop = new CamdoopOptions
        {
            Programs = true,
            Assemblies = true,
            MapSlots = random.Next(1, 4),
            SortBytes = random.Next(3) == 0 ? 1 << 20 : random.Next(400, 6_000),
            MostRecord = 2_000,
            MostCombined = 200,
            OutputMemory = random.Next(3) * 4_000L,
            Buffers = random.Next(3) == 0 ? 256 << 10 : 8 << 20,
            SyncEvery = TimeSpan.FromMilliseconds(random.Next(20, 500)),
            LookEvery = TimeSpan.FromSeconds(2),
            KeptJobs = random.Next(10, 40),
            PutsAtOnce = SwarmRandom.Of(options.Seed, "camdoop puts").Next(1, 4),
        };
        Clients = random.Next(1, 4);
        MillisPerTask = random.Next(1, 200);
        for (int i = random.Next(1, 6); i >= 0; i--)
        {
            _files.Add(LinesOf(i, random));
        }
    }

    public KeyValueOptions Store { get; }

    public FilesOptions Files { get; }

    public CamdoopOptions Camdoop { get; }

    /// <summary>Clients, each with a job at a time.</summary>
    public int Clients { get; }

    /// <summary>How long a program takes, about.</summary>
    public int MillisPerTask { get; }

    /// <summary>How long after the last fault all must be as it should be: a job may have to be done all over
    /// again.</summary>
    public long RecoveryNanos =>
        (long)
            (
                (40 * Store.Silence) + (2 * Store.SlowAfter) + (16 * Store.Timeout) + TimeSpan.FromSeconds(60)
            ).TotalNanoseconds;

    /// <summary>The input, file by file, line by line: a line says where it is.</summary>
    public IReadOnlyList<string[]> Input => _files;

    /// <summary>A job.</summary>
    public JobDescription Draw(Random random, string output)
    {
        JobDescription job = random.Next(3) == 0 ? DrawCounting(random, output) : DrawPassing(random, output);
        if (job.Trees == JobTrees.None && Camdoop.Buffers < 1 << 20)
        {
            // A reduce reads all map tasks at once then, and has not so much room.
            job = job with
            {
                Trees = JobTrees.Six,
            };
        }

        bool isCounting = job.Combine is { Kind: JobFunctionKind.Aggregate };
        return isCounting && random.Next(2) == 0 ? WithFunctions(random, job) : job;
    }

    /// <summary>Where functions in C# are, in the file store.</summary>
    public const string AssemblyPath = "/functions.dll";

    /// <summary>Whether all that a job gives is a count for each key.</summary>
    public static bool IsCounting(JobDescription job) =>
        job.Combine is { Kind: JobFunctionKind.Aggregate or JobFunctionKind.Function };

    /// <summary>A line of the input as a job that counts gets it: its key, once.</summary>
    public static string Count(string line) => $"LongValueSum:{line[..line.IndexOf('\t')]}\t1";

    // Pairs of a key become one at every server on the way.
    private static JobDescription DrawCounting(Random random, string output) =>
        new(["/in"], output)
        {
            Map = JobFunction.Program("count"),
            Combine = new JobFunction(JobFunctionKind.Aggregate),
            Reduce = new JobFunction(JobFunctionKind.Aggregate),
            Reduces = random.Next(1, 12),
            SplitBytes = random.Next(2) == 0 ? 0 : random.Next(300, 9_000),
            CombinesOnTheWay = random.Next(4) > 0,
            Trees = random.Next(4) == 0 ? JobTrees.One : JobTrees.Six,
            Pairs = new JobPairs($"{output}:"),
        };

    // The same by functions in C#, or by a program and one of them.
    private static JobDescription WithFunctions(Random random, JobDescription job) =>
        job with
        {
            Assembly = AssemblyPath,
            Map = random.Next(3) == 0 ? JobFunction.Program("keys") : TypeOf(typeof(KeyCounts.Keys)),
            Combine = TypeOf(typeof(KeyCounts.Sum)),
            Reduce = TypeOf(typeof(KeyCounts.Sum)),
        };

    private static JobFunction TypeOf(Type type) => JobFunction.Type(type.FullName!);

    private static JobDescription DrawPassing(Random random, string output) =>
        new(["/in"], output)
        {
            Map = random.Next(3) == 0 ? JobFunction.Identity : JobFunction.Program("cat"),
            Reduce = random.Next(3) == 0 ? JobFunction.Identity : JobFunction.Program("cat"),
            Combine = random.Next(3) == 0 ? JobFunction.Program("cat") : null,
            Reduces = random.Next(6) == 0 ? 0 : random.Next(1, 12),
            SplitBytes = random.Next(2) == 0 ? 0 : random.Next(300, 9_000),
            Trees = random.Next(5) switch
            {
                0 => JobTrees.One,
                1 => JobTrees.None,
                _ => JobTrees.Six,
            },
        };

    private static string[] LinesOf(int file, Random random)
    {
        string[] lines = new string[random.Next(5) == 0 ? 0 : random.Next(1, 500)];
        int keys = random.Next(3) == 0 ? 1 : random.Next(1, 200);
        for (int i = 0; i < lines.Length; i++)
        {
            var line = new StringBuilder();
            line.Append(CultureInfo.InvariantCulture, $"k{random.Next(keys)}");
            line.Append(CultureInfo.InvariantCulture, $"\t{file}:{i} ");
            lines[i] = line.Append('x', random.Next(10) == 0 ? random.Next(1_000) : random.Next(20)).ToString();
        }

        return lines;
    }
}
