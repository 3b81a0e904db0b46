using CamCube.Services.Camdoop;
using static CamCube.Tool.Commands.Camdoop.Streaming.StreamingTreatment;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>The options of Hadoop Streaming's command line, in the order of its own help. One dash or two.</summary>
internal static class StreamingArguments
{
    /// <summary>The option that sets a property.</summary>
    public const string Define = "-D";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<StreamingOption> All { get; } =
    [
        Of("-input", "PATH", "files, directories and patterns to read, with commas between them", Input) with
        {
            IsRepeatable = true,
        },
        Of("-output", "PATH", "the directory of the output, which must not be there", static (d, v) => d.Output = v),
        Of(
            "-mapper",
            "COMMAND",
            "a command, or IdentityMapper, which is what is done without it",
            static (d, v) => d.Mapper = v
        ),
        Of("-combiner", "COMMAND", "a command, or aggregate", static (d, v) => d.Combiner = v),
        Of(
            "-reducer",
            "COMMAND",
            "a command, aggregate, IdentityReducer, or NONE: no reduces",
            static (d, v) => d.Reducer = v
        ),
        Of(
            "-assembly",
            "FILE",
            "a .NET assembly of this machine, or an hdfs: one, that has the types below",
            StreamingFiles.AddAssembly
        ),
        Of("-mapper-type", "TYPE", "an IMapper of it, as in Shop.Lines", static (d, v) => d.MapperType = v),
        Of("-combiner-type", "TYPE", "an ICombiner of it", static (d, v) => d.CombinerType = v),
        Of("-reducer-type", "TYPE", "an IReducer of it", static (d, v) => d.ReducerType = v),
        Of("-partitioner-type", "TYPE", "an IPartitioner of it", static (d, v) => d.PartitionerType = v),
        Of("-numReduceTasks", "N", "as mapreduce.job.reduces", Property(StreamingProperties.Reduces)),
        Of("-file", "FILE", "a file of this machine for the working folder", StreamingFiles.AddLocal) with
        {
            IsRepeatable = true,
        },
        Of(
            "-files",
            "FILE#NAME,...",
            "the same of several, under other names if so said; hdfs: ones lie in the file store",
            StreamingFiles.AddFiles
        ) with
        {
            IsRepeatable = true,
        },
        Of("-archives", "FILE#NAME,...", "as -files, unpacked into folders", StreamingFiles.AddArchives) with
        {
            IsRepeatable = true,
        },
        Of("-cacheFile", "PATH#NAME", "a file of the file store for the working folder", StreamingFiles.AddCached) with
        {
            IsRepeatable = true,
        },
        Of(
            "-cacheArchive",
            "PATH#NAME",
            "the same of an archive, unpacked into a folder",
            StreamingFiles.AddCachedArchive
        ) with
        {
            IsRepeatable = true,
        },
        Of("-cmdenv", "NAME=VALUE", "a variable of the environment of programs", Environment) with
        {
            IsRepeatable = true,
        },
        Of(Define, "NAME=VALUE", "a property; -DNAME=VALUE is the same", Defined) with
        {
            IsRepeatable = true,
        },
        Of("-jobconf", "NAME=VALUE", "as -D", Defined) with
        {
            IsRepeatable = true,
        },
        Of("-partitioner", "CLASS", "as mapreduce.job.partitioner.class", Property(StreamingProperties.Partitioner)),
        Of("-inputformat", "CLASS", "as mapreduce.job.inputformat.class", Property(StreamingProperties.InputFormat)),
        Of("-outputformat", "CLASS", "as mapreduce.job.outputformat.class", Property(StreamingProperties.OutputFormat)),
        Of("-servers", "RANK,...", "as camdoop.servers", Property(StreamingProperties.Servers)),
        Of("-io", "text", "how programs read and write; only text", static (_, v) => v.OneOf(OnlyText, "text")),
        Flag("-lazyOutput", "no files for reduces that give nothing", static (d, _) => d.IsLazy = true),
        Flag("-verbose", "shows how the command line was understood", static (d, _) => d.IsVerbose = true),
        Flag("-help", "this list", static (d, _) => d.WantsHelp = true) with
        {
            OldName = "-info",
        },
        new("-fs", null, Ignored, "the file store is the cube's") { Value = "URL" },
        new("-jt", null, Ignored, "the cube is the tracker") { Value = "ADDRESS" },
        new("-dfs", null, Ignored, "the file store is the cube's") { Value = "URL" },
        new("-additionalconfspec", null, Refused, "settings in XML are not read; say them with -D"),
        new("-conf", null, Refused, "settings in XML are not read; say them with -D"),
        new("-libjars", null, Refused, "there is no Java"),
        new("-inputreader", null, Refused, "there is no Java; -inputformat has what can be read"),
        new("-mapdebug", null, Refused, "what failed is shown with what it wrote to standard error"),
        new("-reducedebug", null, Refused, "what failed is shown with what it wrote to standard error"),
        new("-debug", null, Refused, "what failed is shown with what it wrote to standard error"),
        new("-background", null, Refused, "put & behind the command line"),
        new("-tokenCacheFile", null, Refused, "there are no tokens"),
    ];

    private const string OnlyText = "programs read and write lines of text; there is no Java to make other bytes of it";

    private static StreamingOption Of(
        string name,
        string value,
        string does,
        Action<StreamingDraft, StreamingValue> take
    ) => new(name, null, Honoured, does) { Value = value, Take = take };

    private static StreamingOption Flag(string name, string does, Action<StreamingDraft, StreamingValue> take) =>
        new(name, null, Honoured, does) { Take = take };

    private static Action<StreamingDraft, StreamingValue> Property(string property) =>
        (draft, value) => draft.SetByOption(property, value);

    // A comma within braces is the pattern's.
    private static void Input(StreamingDraft draft, StreamingValue value)
    {
        int depth = 0,
            from = 0;
        for (int i = 0; i <= value.Text.Length; i++)
        {
            char c = i < value.Text.Length ? value.Text[i] : ',';
            depth += c switch
            {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            if (c == ',' && (depth <= 0 || i == value.Text.Length))
            {
                draft.Inputs.Add(StorePath.Of(value.Text[from..i], draft.Home, allowsPatterns: true));
                from = i + 1;
            }
        }
    }

    private static void Environment(StreamingDraft draft, StreamingValue value)
    {
        (string name, string text) = Pair(value);
        draft.Environment[name] = text;
    }

    private static void Defined(StreamingDraft draft, StreamingValue value)
    {
        (string name, string text) = Pair(value);
        draft.Set(new StreamingValue(name, text));
    }

    private static (string Name, string Text) Pair(StreamingValue value)
    {
        int equals = value.Text.IndexOf('=', StringComparison.Ordinal);
        return equals <= 0 ? throw value.Wrong("must be a name and a value, as in NAME=VALUE")
            : value.Text.Contains('\0', StringComparison.Ordinal) ? throw value.Wrong("has a zero character in it")
            : (value.Text[..equals], value.Text[(equals + 1)..]);
    }
}
