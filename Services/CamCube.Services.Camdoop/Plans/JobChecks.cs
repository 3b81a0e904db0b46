using System.Text;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Plans;

/// <summary>What can be seen of a job to be wrong before it is begun.</summary>
internal static class JobChecks
{
    private const int MostFiles = 1_000;
    private const int MostEnvironment = 10_000;
    private const int MostSeparator = 64;
    private const int MostInputs = 10_000;
    private const int MostTitle = 1_000;

    /// <summary>Whether it starts programs.</summary>
    public static bool HasPrograms(JobDescription job) =>
        job.Map.Kind == JobFunctionKind.Program
        || job.Reduce.Kind == JobFunctionKind.Program
        || job.Combine is { Kind: JobFunctionKind.Program };

    /// <summary>Whether some of its functions are in C#.</summary>
    public static bool HasFunctions(JobDescription job) =>
        job.Map.Kind == JobFunctionKind.Function
        || job.Reduce.Kind == JobFunctionKind.Function
        || job.Combine is { Kind: JobFunctionKind.Function }
        || job.Partitioner.Length > 0;

    /// <summary>What is wrong, in words for people; null: nothing.</summary>
    public static string? WrongOf(JobDescription job) =>
        job.Inputs is not { Count: > 0 } ? "a job has one input or more"
        : job.Output is null ? "a job has an output"
        : WrongOfPath(job.Output) is { } output ? $"output {job.Output}: {output}"
        : job.Output == FilePath.Root ? "the root directory cannot be an output"
        : job.Inputs.Count > MostInputs ? $"a job has at most {MostInputs:N0} inputs"
        : job.Title is null || job.Title.Length > MostTitle ? $"a title has at most {MostTitle:N0} characters"
        : job.Inputs.Select(WrongOfInput).FirstOrDefault(static w => w is not null) is { } input ? input
        : job.Reduces is < 0 or > JobDescription.MostReduces
            ? $"a job has 0 to {JobDescription.MostReduces:N0} reduces, not {job.Reduces:N0}"
        : job.FirstRoot < 0 ? "a server's rank is 0 or more"
        : WrongOfServers(job) is { } servers ? servers
        : job.SplitBytes < 0 || job.LeastSplitBytes < 1 ? "splits have at least a byte"
        : job.Maps < 0 ? "a job wishes for 0 map tasks or more"
        : job.ReduceRate < 0 ? "a reduce takes 0 bits per second, which is as many as come, or more"
        : !Enum.IsDefined(job.Trees) ? "pairs go along six trees, one, or none"
        : job.MapAttempts is < 1 or > JobDescription.MostAttempts
        || job.ReduceAttempts is < 1 or > JobDescription.MostAttempts
            ? $"a task has 1 to {JobDescription.MostAttempts} attempts"
        : job.MapFailuresPercent is < 0 or > 100 || job.ReduceFailuresPercent is < 0 or > 100
            ? "0 to 100 of a hundred tasks may fail"
        : job.TaskTimeout < TimeSpan.Zero || job.TaskTimeout > TimeSpan.FromDays(30)
            ? "the timeout of a task is 0 s to 30 days"
        : job.Text is null ? "a job says how lines are cut"
        : job.Pairs is { } put && WrongOfPairs(put) is { } pairs ? pairs
        : NotYet(job) is { } missing ? $"{missing}: this cube cannot do that yet"
        : WrongOfText(job.Text) ?? WrongOfFunctions(job) ?? WrongOfFiles(job) ?? WrongOfEnvironment(job);

    /// <summary>What can be seen to be wrong once its input was cut; null: nothing.</summary>
    /// <param name="job">The job.</param>
    /// <param name="buffers">Bytes of all streams of pairs of a server.</param>
    /// <param name="perStream">Bytes that one has for itself.</param>
    public static string? WrongOfPlan(Job job, long buffers, long perStream)
    {
        // Each reduce asks all of them at once, and half of a server's streams are those that it reads.
        long most = buffers / 2 / perStream;
        return job.HasTrees || job.IsMapOnly || job.Splits.Count <= most
            ? null
            : $"a job without trees has at most {most:N0} map tasks here, not {job.Splits.Count:N0}: a reduce reads "
                + "all of them at once (CamCube:Services:camdoop:Buffers)";
    }

    /// <summary>What is wrong with the servers that it is to run on; null: nothing.</summary>
    /// <param name="job">The job.</param>
    /// <param name="shape">The cube.</param>
    public static string? WrongOfServers(JobDescription job, TorusShape shape) =>
        (job.Servers ?? []).FirstOrDefault(rank => rank >= shape.Count) is > 0 and int rank
            ? $"there is no server {rank:N0} in {shape}: the last one is {shape.Count - 1}"
            : null;

    private static string? WrongOfServers(JobDescription job) =>
        job.Servers is not { } servers ? null
        : servers.Count == 0 ? "a job on some servers names one or more"
        : servers.Any(static rank => rank < 0) ? "a server's rank is 0 or more"
        : servers.CountBy(static rank => rank).FirstOrDefault(static one => one.Value > 1) is { Value: > 1 } twice
            ? $"server {twice.Key} is named twice"
        : job.FirstRoot is { } root && !servers.Contains(root)
            ? $"the first reduce's server {root} is none of those that the job runs on"
        : null;

    // Asked for and left out in silence would be a wrong result.
    private static string? NotYet(JobDescription job) =>
        job.Combine is { Kind: JobFunctionKind.Identity } ? "a combiner that gives what it gets"
        : job.Map?.Kind is JobFunctionKind.Aggregate ? "aggregate as a map function"
        : job is { Combine.Kind: JobFunctionKind.Function, Reduce.Kind: JobFunctionKind.Aggregate }
            ? "a combiner in C# with aggregate as reducer"
        : job is { Pairs: not null, CompressesOutput: true }
            ? "compressed output whose pairs go into the key-value store"
        : job.Combine is { Kind: JobFunctionKind.Aggregate } && job.Reduce?.Kind != JobFunctionKind.Aggregate
            ? "aggregate as combiner and not as reducer"
        : null;

    private static string? WrongOfPairs(JobPairs pairs) =>
        pairs.Table is < 0 or > JobPairs.HighestTable
            ? $"pairs go into a table of 0 to {JobPairs.HighestTable}, not {pairs.Table}"
        : pairs.Prefix is null || Encoding.UTF8.GetByteCount(pairs.Prefix) > JobPairs.MostPrefix
            ? $"what keys begin with has at most {JobPairs.MostPrefix:N0} bytes"
        : null;

    private static string? WrongOfPath(string path) =>
        path.StartsWith('/') ? FilePath.WrongOf(path) : "a path begins with a slash";

    private static string? WrongOfInput(string input)
    {
        string? wrong =
            input is null || !input.StartsWith('/') ? "a path begins with a slash"
            : FilePattern.IsPattern(input) ? (FilePattern.TryParse(input, out _, out string? why) ? null : why)
            : FilePath.WrongOf(input);
        return wrong is null ? null : $"input {input}: {wrong}";
    }

    private static string? WrongOfText(JobText text) =>
        text.MapOutputKeyFields < 1 ? "a key has at least one field"
        : text.PartitionKeyFields < 0 ? "a key has no less than no fields"
        : text.ReduceOutputKeyFields < 1 ? "a key has at least one field"
        : !Enum.IsDefined(text.Input) ? "input is lines, keyed lines, or lines by number"
        : text.LinesPerMap < 1 ? "a map task has at least a line"
        : text.RecordDelimiter is null || Encoding.UTF8.GetByteCount(text.RecordDelimiter) > MostSeparator
            ? $"the end of a record is that of a line, or has at most {MostSeparator} bytes"
        : (WrongOfFields(text.SortFields) ?? WrongOfFields(text.PartitionFields)) is { } fields ? fields
        : Array.TrueForAll(
            [
                text.MapOutputSeparator,
                text.ReduceInputSeparator,
                text.ReduceOutputSeparator,
                text.OutputSeparator,
                text.InputSeparator,
                text.MapInputSeparator,
                text.KeySeparator,
            ],
            IsSeparator
        )
            ? null
        : $"a separator has 1 to {MostSeparator} bytes, none of them a line feed";

    private static string? WrongOfFields(IReadOnlyList<KeyFields> fields) =>
        fields is null || fields.Count > KeyFields.Most ? $"a key is compared by at most {KeyFields.Most} parts"
        : fields.All(static f =>
            f.StartField is >= 1 and <= KeyFields.HighestNumber
            && f.StartChar is >= 1 and <= KeyFields.HighestNumber
            && f.EndField is >= 0 and <= KeyFields.HighestNumber
            && f.EndChar is >= 0 and <= KeyFields.HighestNumber
        )
            ? null
        : $"fields and characters of a key are counted from 1 to {KeyFields.HighestNumber:N0}";

    private static bool IsSeparator(string text) =>
        text is not null && Encoding.UTF8.GetByteCount(text) is >= 1 and <= MostSeparator && !text.Contains('\n');

    private static string? WrongOfFunctions(JobDescription job)
    {
        JobFunction?[] functions = [job.Map, job.Reduce, job.Combine];
        return job.Assembly is null || job.Partitioner is null
                ? "an assembly and a partitioner have names, or empty ones"
            : functions[0] is null || functions[1] is null ? "a job says what its map and reduce functions are"
            : Array.Exists(functions, static f => f is not null && !Enum.IsDefined(f.Kind))
                ? "a function is a program, a type, or one that is built in"
            : Array.Exists(functions, static f => f is { Kind: JobFunctionKind.Program, Command: not { Count: > 0 } })
                ? "a program has a name"
            : Array.Exists(
                functions,
                static f =>
                    f is { Kind: JobFunctionKind.Program } && f.Command.Any(static c => c is null || c.Contains('\0'))
            )
                ? "a program's name and arguments have no zero bytes"
            : Array.Exists(functions, static f => f is { Kind: JobFunctionKind.Function, Name: not { Length: > 0 } })
                ? "a function in C# has the name of a type"
            : !HasFunctions(job) ? null
            : job.Assembly.Length == 0 ? "a job with functions in C# has an assembly"
            : WrongOfPath(job.Assembly) is { } assembly ? $"the job's assembly {job.Assembly}: {assembly}"
            : null;
    }

    private static string? WrongOfFiles(JobDescription job)
    {
        if (job.Files is null || job.Files.Count > MostFiles)
        {
            return $"a job has at most {MostFiles:N0} files";
        }

        HashSet<string> names = new(StringComparer.Ordinal);
        foreach (JobFile file in job.Files)
        {
            if (file?.Name is null || FilePath.WrongOfName(file.Name) is not null || file.Name is "." or ".." or "tmp")
            {
                return $"{file?.Name} is no name for a file in a working folder";
            }

            if (file.Path is null || WrongOfPath(file.Path) is not null)
            {
                return $"the job's file {file.Path}: a path begins with a slash";
            }

            if (file.Name.Contains('/') || !names.Add(file.Name))
            {
                return $"two files, or a path, would have the name {file.Name} in the working folder";
            }
        }

        return null;
    }

    private static string? WrongOfEnvironment(JobDescription job) =>
        job.Environment is null || job.Environment.Count > MostEnvironment
            ? $"a job's environment has at most {MostEnvironment:N0} names"
        : job.Environment.FirstOrDefault(static e => e is null || e.IndexOf('=') <= 0 || e.Contains('\0')) is { } wrong
            ? $"{wrong} is no NAME=value of an environment"
        : null;

    /// <summary>What is said of an output that is there already, as Hadoop does.</summary>
    public static string AlreadyThere(JobDescription job) => $"Output directory hdfs://{job.Output} already exists";
}
