using System.Collections.Frozen;
using CamCube.Services.Camdoop;
using static CamCube.Tool.Commands.Camdoop.Streaming.StreamingTreatment;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>The properties of Hadoop that are known here, by what they are about. What is in none of these rows goes
/// into the environment of programs and changes nothing.</summary>
internal static class StreamingProperties
{
    /// <summary>How many reduces there are.</summary>
    public const string Reduces = "mapreduce.job.reduces";

    /// <summary>What people call the job.</summary>
    public const string Title = "mapreduce.job.name";

    /// <summary>What says which reduce a key goes to.</summary>
    public const string Partitioner = "mapreduce.job.partitioner.class";

    /// <summary>How bytes of input become records.</summary>
    public const string InputFormat = "mapreduce.job.inputformat.class";

    /// <summary>How records become bytes of output.</summary>
    public const string OutputFormat = "mapreduce.job.outputformat.class";

    /// <summary>Where it reads from.</summary>
    public const string InputDirectories = "mapreduce.input.fileinputformat.inputdir";

    /// <summary>Where it writes to.</summary>
    public const string OutputDirectory = "mapreduce.output.fileoutputformat.outputdir";

    /// <summary>Which servers run it.</summary>
    public const string Servers = "camdoop.servers";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<StreamingOption> All { get; } =
    [
        .. StreamingJobProperties.All,
        .. StreamingTextProperties.All,
        .. Rows(
            Refused,
            "-input and -output say it",
            (InputDirectories, "mapred.input.dir"),
            (OutputDirectory, "mapred.output.dir")
        ),
        .. Rows(
            Refused,
            "-files and -archives say it",
            ("mapreduce.job.cache.files", "mapred.cache.files"),
            ("mapreduce.job.cache.archives", "mapred.cache.archives")
        ),
        .. Rows(
            Refused,
            "there is no Java",
            ("mapreduce.job.map.class", "mapred.mapper.class"),
            ("mapreduce.job.combine.class", "mapred.combiner.class"),
            ("mapreduce.job.reduce.class", "mapred.reducer.class"),
            ("mapreduce.job.output.group.comparator.class", "mapred.output.value.groupfn.class")
        ),
        .. Rows(
            Ignored,
            "Hadoop's own memory, queues and files between map and reduce, which are not here",
            ("mapreduce.job.queuename", "mapred.job.queue.name"),
            ("mapreduce.job.priority", "mapred.job.priority"),
            ("mapreduce.map.memory.mb", "mapred.job.map.memory.mb"),
            ("mapreduce.reduce.memory.mb", "mapred.job.reduce.memory.mb"),
            ("mapreduce.map.java.opts", "mapred.map.child.java.opts"),
            ("mapreduce.reduce.java.opts", "mapred.reduce.child.java.opts"),
            ("mapreduce.map.cpu.vcores", null),
            ("mapreduce.reduce.cpu.vcores", null),
            ("mapreduce.task.io.sort.mb", "io.sort.mb"),
            ("mapreduce.task.io.sort.factor", "io.sort.factor"),
            ("mapreduce.map.output.compress", "mapred.compress.map.output"),
            ("mapreduce.map.output.compress.codec", "mapred.map.output.compression.codec"),
            ("mapreduce.job.jvm.numtasks", "mapred.job.reuse.jvm.num.tasks"),
            ("mapreduce.job.reduce.slowstart.completedmaps", "mapred.reduce.slowstart.completed.maps"),
            ("mapreduce.output.fileoutputformat.compress.type", "mapred.output.compression.type")
        ),
    ];

    private static readonly FrozenDictionary<string, StreamingOption> ByName = All.SelectMany(static option =>
            option.Names.Select(name => KeyValuePair.Create(name, option))
        )
        .ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>A property, by either name; null: it is not known here.</summary>
    public static StreamingOption? Find(string name) => ByName.GetValueOrDefault(name);

    /// <summary>The new name of a property; of one that is not known its name.</summary>
    public static string NewNameOf(string name) => Find(name)?.Name ?? name;

    /// <summary>A row.</summary>
    public static StreamingOption Row(
        string name,
        string? oldName,
        string does,
        Action<StreamingDraft, StreamingValue> take
    ) => new(name, oldName, Honoured, does) { Take = take };

    /// <summary>A row that changes the job.</summary>
    public static StreamingOption OfJob(
        string name,
        string? oldName,
        string does,
        Func<JobDescription, StreamingValue, JobDescription> change
    ) => Row(name, oldName, does, (draft, value) => draft.Job = change(draft.Job, value));

    /// <summary>A row that changes the text.</summary>
    public static StreamingOption OfText(
        string name,
        string? oldName,
        string does,
        Func<JobText, StreamingValue, JobText> change
    ) => Row(name, oldName, does, (draft, value) => draft.Text = change(draft.Text, value));

    private static IEnumerable<StreamingOption> Rows(
        StreamingTreatment treatment,
        string why,
        params (string Name, string? OldName)[] names
    ) => names.Select(one => new StreamingOption(one.Name, one.OldName, treatment, why));
}
