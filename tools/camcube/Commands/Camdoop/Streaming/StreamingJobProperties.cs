using CamCube.Services.Camdoop;
using static CamCube.Tool.Commands.Camdoop.Streaming.StreamingProperties;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>Honoured properties that say how a job runs.</summary>
internal static class StreamingJobProperties
{
    private const string OnlyGzip = "only org.apache.hadoop.io.compress.GzipCodec is here";
    private static readonly string[] GzipNames = ["org.apache.hadoop.io.compress.GzipCodec", "GzipCodec"];

    /// <summary>All of them.</summary>
    public static IReadOnlyList<StreamingOption> All { get; } =
    [
        OfJob(Title, "mapred.job.name", "what people call the job", static (j, v) => j with { Title = v.Text }),
        OfJob(
            "mapreduce.job.maps",
            "mapred.map.tasks",
            "into how many parts the input is cut, at least; a chunk of a file has at least one",
            static (j, v) => j with { Maps = v.Whole(0, int.MaxValue) }
        ),
        OfJob(
            Reduces,
            "mapred.reduce.tasks",
            "reduces, and so files of output; 0: what mappers give is the output",
            static (j, v) => j with { Reduces = v.Whole(0, JobDescription.MostReduces) }
        ),
        OfJob(
            "mapreduce.input.fileinputformat.split.minsize",
            "mapred.min.split.size",
            "least bytes of such a part; never more than a chunk",
            static (j, v) => j with { LeastSplitBytes = Math.Max(1, v.Bytes()) }
        ),
        OfJob(
            "mapreduce.input.fileinputformat.split.maxsize",
            "mapred.max.split.size",
            "most bytes of such a part",
            static (j, v) =>
                j with
                {
                    SplitBytes = v.Bytes() is > 0 and var bytes ? bytes : throw v.Wrong("must be at least 1"),
                }
        ),
        OfJob(
            "mapreduce.map.maxattempts",
            "mapred.map.max.attempts",
            "attempts at a map task before the job fails",
            static (j, v) => j with { MapAttempts = v.Whole(1, JobDescription.MostAttempts) }
        ),
        OfJob(
            "mapreduce.reduce.maxattempts",
            "mapred.reduce.max.attempts",
            "attempts at a reduce before the job fails",
            static (j, v) => j with { ReduceAttempts = v.Whole(1, JobDescription.MostAttempts) }
        ),
        OfJob(
            "mapreduce.map.failures.maxpercent",
            "mapred.max.map.failures.percent",
            "so many of a hundred map tasks may fail without the job",
            static (j, v) => j with { MapFailuresPercent = v.Whole(0, 100) }
        ),
        OfJob(
            "mapreduce.reduce.failures.maxpercent",
            "mapred.max.reduce.failures.percent",
            "the same of reduces",
            static (j, v) => j with { ReduceFailuresPercent = v.Whole(0, 100) }
        ),
        OfJob(
            "mapreduce.map.speculative",
            "mapred.map.tasks.speculative.execution",
            "whether a slow map task may run a second time elsewhere",
            static (j, v) => j with { RepeatsSlowMaps = v.Flag() }
        ),
        OfJob(
            "mapreduce.reduce.speculative",
            "mapred.reduce.tasks.speculative.execution",
            "the same of reduces",
            static (j, v) => j with { RepeatsSlowReduces = v.Flag() }
        ),
        OfJob(
            "mapreduce.task.timeout",
            "mapred.task.timeout",
            "milliseconds that a program may neither read nor write nor say anything; 0: for ever",
            static (j, v) => j with { TaskTimeout = v.Milliseconds() }
        ),
        OfJob(
            "stream.non.zero.exit.is.failure",
            null,
            "whether a program that ends with another code than 0 has failed",
            static (j, v) => j with { FailsOnExitCode = v.Flag() }
        ),
        OfJob(
            "mapreduce.output.fileoutputformat.compress",
            "mapred.output.compress",
            "whether files of output are compressed, by gzip",
            static (j, v) => j with { CompressesOutput = v.Flag() }
        ),
        Row(
            "mapreduce.output.fileoutputformat.compress.codec",
            "mapred.output.compression.codec",
            "only GzipCodec, by its short or long name",
            static (_, v) => v.OneOf(OnlyGzip, GzipNames)
        ),
        OfJob(
            "camdoop.trees",
            null,
            "which trees the pairs go along: six (cables of a server), one, or none (as through a switch)",
            static (j, v) => j with { Trees = (JobTrees)v.OneOf("must be six, one or none", "six", "one", "none") }
        ),
        OfJob(
            Servers,
            null,
            "ranks of the servers that run map tasks and reduces, as in 0-12,20; all without it",
            static (j, v) => j with { Servers = v.Ranks() }
        ),
        OfJob(
            "camdoop.aggregation",
            null,
            "whether pairs of a key are combined on the way",
            static (j, v) => j with { CombinesOnTheWay = v.Flag() }
        ),
        OfJob(
            "camdoop.reduce.rate",
            null,
            "bits per second of pairs that a reduce takes, at most, as a slow one would; 0: as many as come",
            static (j, v) => j with { ReduceRate = v.Rate() }
        ),
        OfJob(
            "camdoop.deterministic",
            null,
            "false: programs may answer differently when they get the same again, so none runs twice",
            static (j, v) => j with { IsDeterministic = v.Flag() }
        ),
        OfJob(
            "camdoop.pairs.prefix",
            null,
            "pairs of the output go into the key-value store, too, each key behind this; may be empty",
            static (j, v) => j with { Pairs = (j.Pairs ?? new JobPairs("")) with { Prefix = v.Text } }
        ),
        OfJob(
            "camdoop.pairs.table",
            null,
            "the table of the key-value store that they go into, 0 if only a prefix is given",
            static (j, v) =>
                j with
                {
                    Pairs = (j.Pairs ?? new JobPairs("")) with { Table = v.Whole(0, JobPairs.HighestTable) },
                }
        ),
    ];
}
