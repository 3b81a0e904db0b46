using System.Collections.Frozen;
using System.Text.RegularExpressions;
using CamCube.Services.Camdoop;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>
/// Reads the arguments of Hadoop Streaming, generic options first or mixed with the others. Looks at no file and asks
/// nobody. What is wrong is a <see cref="ToolException"/> with <see cref="ExitCode.Usage"/>.
/// </summary>
internal static partial class StreamingParser
{
    private const string Aggregate = "aggregate";
    private const string DefaultTitle = "streamjob";
    private static readonly FrozenDictionary<string, StreamingOption> ByName = StreamingArguments
        .All.SelectMany(static option => option.Names.Select(name => KeyValuePair.Create(name, option)))
        .ToFrozenDictionary(StringComparer.Ordinal);
    private static readonly string[] IdentityMappers =
    [
        "IdentityMapper",
        "org.apache.hadoop.mapred.lib.IdentityMapper",
        "org.apache.hadoop.mapreduce.Mapper",
    ];
    private static readonly string[] IdentityReducers =
    [
        "IdentityReducer",
        "org.apache.hadoop.mapred.lib.IdentityReducer",
        "org.apache.hadoop.mapreduce.Reducer",
    ];

    /// <summary>Reads them.</summary>
    /// <param name="arguments">All behind the name of the jar.</param>
    /// <param name="home">The user's directory in the file store (<see cref="StorePath.HomeOf"/>).</param>
    /// <returns>What is asked for; null: the help.</returns>
    public static StreamingJob? Parse(IReadOnlyList<string> arguments, string home)
    {
        var draft = new StreamingDraft(home);
        Read(arguments, draft);
        if (draft.WantsHelp)
        {
            return null;
        }

        foreach ((string name, StreamingValue value) in draft.Properties)
        {
            StreamingOption? property = StreamingProperties.Find(name);
            ThrowIfRefused(property, value.Name);
            property?.Take?.Invoke(draft, value);
        }

        return new StreamingJob(Finish(draft), draft.Uploads)
        {
            Assembly = draft.Assembly,
            IsVerbose = draft.IsVerbose,
        };
    }

    private static void Read(IReadOnlyList<string> arguments, StreamingDraft draft)
    {
        var seen = new HashSet<string>(StringComparer.Ordinal);
        for (int i = 0; i < arguments.Count; i++)
        {
            string argument = arguments[i];
            string name = argument.StartsWith("--", StringComparison.Ordinal) ? argument[1..] : argument;
            bool isJoined =
                name.Length > StreamingArguments.Define.Length
                && name.StartsWith(StreamingArguments.Define, StringComparison.Ordinal)
                && !ByName.ContainsKey(name);
            StreamingOption option =
                ByName.GetValueOrDefault(isJoined ? StreamingArguments.Define : name)
                ?? throw new ToolException(
                    ExitCode.Usage,
                    argument.StartsWith('-')
                        ? $"{argument} is no option of Hadoop Streaming; -help lists them."
                        : $"'{argument}' belongs to no option; if it is a part of a command, quote the whole command."
                );
            ThrowIfRefused(option, argument);
            if (!option.IsRepeatable && !seen.Add(option.Name))
            {
                throw new ToolException(ExitCode.Usage, $"{argument} is there twice.");
            }

            string value = "";
            if (isJoined)
            {
                value = name[StreamingArguments.Define.Length..];
            }
            else if (option.Value is { } wanted)
            {
                value =
                    ++i < arguments.Count
                        ? arguments[i]
                        : throw new ToolException(ExitCode.Usage, $"{argument} wants {wanted} behind it.");
            }

            option.Take?.Invoke(draft, new StreamingValue(isJoined ? StreamingArguments.Define : argument, value));
        }
    }

    private static void ThrowIfRefused(StreamingOption? option, string name)
    {
        if (option?.Treatment == StreamingTreatment.Refused)
        {
            throw new ToolException(ExitCode.Usage, $"{name} does not go here: {option.Does}.");
        }
    }

    private static JobDescription Finish(StreamingDraft draft)
    {
        if (draft.Inputs.Count == 0)
        {
            throw new ToolException(ExitCode.Usage, "-input is missing: say what is to be read.");
        }

        if (draft.Output is not { } output)
        {
            throw new ToolException(ExitCode.Usage, "-output is missing: say which directory is to be made.");
        }

        CheckTypes(draft);
        JobFunction? combine =
            TypeOf(draft.CombinerType, draft.Combiner) ?? FunctionOf(draft.Combiner, IdentityReducers, Aggregate);
        JobFunction map =
                TypeOf(draft.MapperType, draft.Mapper)
                ?? FunctionOf(draft.Mapper, IdentityMappers, null)
                ?? JobFunction.Identity,
            reduce =
                TypeOf(draft.ReducerType, draft.Reducer)
                ?? FunctionOf(draft.Reducer, IdentityReducers, Aggregate)
                ?? JobFunction.Identity;
        bool isMapOnly = draft.Reducer is { Text: "NONE" };
        JobText text = draft.Text with
        {
            SortFields = draft.ComparesFields ? draft.Text.SortFields : [],
            PartitionFields = draft.PartitionsByFields ? draft.Text.PartitionFields : [],
            PartitionKeyFields = draft.PartitionsByFields ? draft.Text.PartitionKeyFields : 0,
            // Programs get no offsets of lines, but keys of all else; who only hands on gets them always.
            MapInputHasKey =
                map.Kind == JobFunctionKind.Identity || (draft.MapInputHasKey ?? draft.Text.Input != JobInput.Lines),
        };
        JobDescription job = draft.Job with
        {
            Inputs = draft.Inputs,
            Output = StorePath.Of(output.Text, draft.Home),
            Title = draft.Job.Title.Length > 0 ? draft.Job.Title : DefaultTitle,
            Map = map,
            Combine =
                reduce.Kind == JobFunctionKind.Aggregate ? reduce
                : combine?.Kind == JobFunctionKind.Identity ? null
                : combine,
            Reduce = reduce,
            Partitioner = draft.PartitionerType?.Text ?? "",
            Reduces = isMapOnly ? 0 : draft.Job.Reduces,
            Files = draft.Files,
            Text = text,
            LazyOutput = draft.IsLazy,
        };
        return job with { Environment = StreamingEnvironment.Of(job, draft) };
    }

    private static void CheckTypes(StreamingDraft draft)
    {
        StreamingValue?[] types = [draft.MapperType, draft.CombinerType, draft.ReducerType, draft.PartitionerType];
        StreamingValue? first = Array.Find(types, static type => type is not null);
        bool hasAssembly = draft.Assembly is not null || draft.Job.Assembly.Length > 0;
        if (first is { } named && !hasAssembly)
        {
            throw named.Wrong("say which -assembly has it");
        }

        if (first is null && hasAssembly)
        {
            throw new ToolException(
                ExitCode.Usage,
                "-assembly is there, and no type of it: say -mapper-type, -combiner-type or -reducer-type."
            );
        }
    }

    private static JobFunction? TypeOf(StreamingValue? type, StreamingValue? command) =>
        type is not { } value ? null
        : command is { } other ? throw other.Wrong($"{value.Name} {value.Text} says something else")
        : value.Text.Trim().Length == 0 ? throw value.Wrong("is no name of a type")
        : JobFunction.Type(value.Text.Trim());

    // Null: there is none, or NONE.
    private static JobFunction? FunctionOf(StreamingValue? option, string[] identities, string? aggregate)
    {
        if (option is not { } value || (value.Text == "NONE" && aggregate is not null))
        {
            return null;
        }

        if (CommandWords.TryCut(value.Text, out IReadOnlyList<string> words) is { } wrong)
        {
            throw value.Wrong(wrong);
        }

        if (words.Count == 0 || words[0].Length == 0)
        {
            throw value.Wrong("is no command");
        }

        if (words.Any(static word => word.Contains('\0', StringComparison.Ordinal)))
        {
            throw value.Wrong("has a zero character in it");
        }

        return words.Count > 1 ? JobFunction.Program(words)
            : identities.Contains(words[0]) ? JobFunction.Identity
            : words[0].Equals(aggregate, StringComparison.OrdinalIgnoreCase)
                ? new JobFunction(JobFunctionKind.Aggregate)
            : JavaClass().IsMatch(words[0])
                ? throw value.Wrong(
                    $"looks like a Java class, and there is no Java; here are {Known(identities, aggregate)}"
                )
            : JobFunction.Program(words);
    }

    private static string Known(string[] identities, string? aggregate) =>
        string.Join(aggregate is null ? "" : ", ", identities[0], aggregate) + " and commands";

    // A package in small letters and a class with a capital, as in org.example.Wc: no program is called so.
    [GeneratedRegex(@"^([a-z][a-z0-9_]*\.)+[A-Z][A-Za-z0-9_]*(\$[A-Za-z0-9_]+)*$", RegexOptions.CultureInvariant)]
    private static partial Regex JavaClass();
}
