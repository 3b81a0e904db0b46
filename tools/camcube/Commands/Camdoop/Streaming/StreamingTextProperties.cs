using CamCube.Services.Camdoop;
using static CamCube.Tool.Commands.Camdoop.Streaming.StreamingProperties;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>Honoured properties that say how lines become pairs, how pairs are sorted and distributed, and how they
/// become lines.</summary>
internal static class StreamingTextProperties
{
    private const int MostKeyFields = KeyFields.HighestNumber;
    private const string NoJava = "there is no Java";
    private const string OnlyText = "programs read and write lines of text";
    private static readonly string[] InputNames =
    [
        "TextInputFormat",
        "KeyValueTextInputFormat",
        "NLineInputFormat",
        "org.apache.hadoop.mapred.TextInputFormat",
        "org.apache.hadoop.mapred.KeyValueTextInputFormat",
        "org.apache.hadoop.mapred.lib.NLineInputFormat",
        "org.apache.hadoop.mapreduce.lib.input.TextInputFormat",
        "org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat",
        "org.apache.hadoop.mapreduce.lib.input.NLineInputFormat",
    ];

    private static readonly string[] OutputNames =
    [
        "TextOutputFormat",
        "org.apache.hadoop.mapred.TextOutputFormat",
        "org.apache.hadoop.mapreduce.lib.output.TextOutputFormat",
    ];

    private static readonly string[] PartitionerNames =
    [
        "HashPartitioner",
        "KeyFieldBasedPartitioner",
        "org.apache.hadoop.mapred.lib.HashPartitioner",
        "org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner",
        "org.apache.hadoop.mapreduce.lib.partition.HashPartitioner",
        "org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedPartitioner",
    ];

    private static readonly string[] ComparatorNames =
    [
        "KeyFieldBasedComparator",
        "org.apache.hadoop.mapred.lib.KeyFieldBasedComparator",
        "org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedComparator",
    ];

    /// <summary>All of them.</summary>
    public static IReadOnlyList<StreamingOption> All { get; } =
    [
        OfText(
            InputFormat,
            "mapred.input.format.class",
            "TextInputFormat, KeyValueTextInputFormat or NLineInputFormat, by short or long name",
            static (t, v) => t with { Input = (JobInput)(v.OneOf(Others("input", 3, InputNames), InputNames) % 3) }
        ),
        OfText(
            "textinputformat.record.delimiter",
            null,
            "what ends a record instead of LF, CR or CR LF",
            static (t, v) =>
                v.Separator() == "\n" ? t with { EndsAtLineFeedOnly = true } : t with { RecordDelimiter = v.Text }
        ),
        OfText(
            "mapreduce.input.lineinputformat.linespermap",
            "mapred.line.input.format.linespermap",
            "lines of each map task of NLineInputFormat",
            static (t, v) => t with { LinesPerMap = v.Whole(1, int.MaxValue) }
        ),
        OfText(
            "mapreduce.input.keyvaluelinerecordreader.key.value.separator",
            "key.value.separator.in.input.line",
            "what ends the key of KeyValueTextInputFormat",
            static (t, v) => t with { InputSeparator = v.Separator() }
        ),
        Row(
            "stream.map.input.ignoreKey",
            null,
            "whether a mapper gets values of records alone; if not said, of TextInputFormat only",
            static (d, v) => d.MapInputHasKey = !v.Flag()
        ),
        OfText(
            "stream.map.input.field.separator",
            null,
            "between key and value in lines for the mapper",
            static (t, v) => t with { MapInputSeparator = v.Separator() }
        ),
        OfText(
            "stream.map.output.field.separator",
            null,
            "between fields of lines of the mapper",
            static (t, v) => t with { MapOutputSeparator = v.Separator() }
        ),
        OfText(
            "stream.num.map.output.key.fields",
            null,
            "so many fields of such a line are its key",
            static (t, v) => t with { MapOutputKeyFields = v.Whole(1, MostKeyFields) }
        ),
        OfText(
            "stream.reduce.input.field.separator",
            null,
            "between key and value in lines for the reducer",
            static (t, v) => t with { ReduceInputSeparator = v.Separator() }
        ),
        OfText(
            "stream.reduce.output.field.separator",
            null,
            "between fields of lines of the reducer",
            static (t, v) => t with { ReduceOutputSeparator = v.Separator() }
        ),
        OfText(
            "stream.num.reduce.output.key.fields",
            null,
            "so many fields of such a line are its key",
            static (t, v) => t with { ReduceOutputKeyFields = v.Whole(1, MostKeyFields) }
        ),
        OfText(
            "mapreduce.output.textoutputformat.separator",
            "mapred.textoutputformat.separator",
            "between key and value in the output",
            static (t, v) => t with { OutputSeparator = v.Separator() }
        ),
        OfText(
            "mapreduce.map.output.key.field.separator",
            "map.output.key.field.separator",
            "between fields of a key, for the next rows",
            static (t, v) => t with { KeySeparator = v.Separator() }
        ),
        Row(
            Partitioner,
            "mapred.partitioner.class",
            "HashPartitioner or KeyFieldBasedPartitioner, by short or long name",
            static (d, v) =>
                d.PartitionsByFields = v.OneOf(Others("partitioners", 2, PartitionerNames), PartitionerNames) % 2 == 1
        ),
        OfText(
            "mapreduce.partition.keypartitioner.options",
            "mapred.text.key.partitioner.options",
            "what of a key says which reduce it goes to, as in -k1,2; of KeyFieldBasedPartitioner",
            static (t, v) => t with { PartitionFields = v.Fields() }
        ),
        OfText(
            "num.key.fields.for.partition",
            null,
            "the same, as a number of first fields, instead of it",
            static (t, v) => t with { PartitionKeyFields = v.Whole(1, MostKeyFields) }
        ),
        Row(
            "mapreduce.job.output.key.comparator.class",
            "mapred.output.key.comparator.class",
            "only KeyFieldBasedComparator, by short or long name; without it all bytes of a key are compared",
            static (d, v) => d.ComparesFields = v.OneOf(Others("comparators", 1, ComparatorNames), ComparatorNames) >= 0
        ),
        OfText(
            "mapreduce.partition.keycomparator.options",
            "mapred.text.key.comparator.options",
            "what keys are sorted by, as in -k1,1 -k2,2nr; of KeyFieldBasedComparator",
            static (t, v) => t with { SortFields = v.Fields() }
        ),
        Row(
            OutputFormat,
            "mapred.output.format.class",
            "only TextOutputFormat, by short or long name",
            static (_, v) => v.OneOf(Others("output", 1, OutputNames), OutputNames)
        ),
        .. new[] { "stream.map.input", "stream.map.output", "stream.reduce.input", "stream.reduce.output" }.Select(
            static name => Row(name, null, "only text", static (_, v) => v.OneOf(OnlyText, "text"))
        ),
        Row(
            "stream.stderr.reporter.prefix",
            null,
            "only reporter:, which is what is meant without it",
            static (_, v) => v.OneOf("counters and states begin with reporter:", "reporter:")
        ),
    ];

    private static string Others(string what, int short_, string[] names) =>
        $"{NoJava}; of {what} here are {string.Join(", ", names.Take(short_))}";
}
