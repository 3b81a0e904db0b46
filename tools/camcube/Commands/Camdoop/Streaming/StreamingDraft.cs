using CamCube.Services.Camdoop;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>A job while its command line is read.</summary>
/// <param name="home">The user's directory in the file store.</param>
internal sealed class StreamingDraft(string home)
{
    private readonly Dictionary<string, StreamingValue> _byOption = new(StringComparer.Ordinal);
    private readonly Dictionary<string, StreamingValue> _properties = new(StringComparer.Ordinal);

    /// <summary>The user's directory.</summary>
    public string Home => home;

    /// <summary>What properties have made of it so far.</summary>
    public JobDescription Job { get; set; } = new([], "");

    /// <summary>The same of its text.</summary>
    public JobText Text { get; set; } = new();

    /// <summary>Its inputs.</summary>
    public List<string> Inputs { get; } = [];

    /// <summary>Its output.</summary>
    public StreamingValue? Output { get; set; }

    /// <summary>Its mapper.</summary>
    public StreamingValue? Mapper { get; set; }

    /// <summary>Its combiner.</summary>
    public StreamingValue? Combiner { get; set; }

    /// <summary>Its reducer.</summary>
    public StreamingValue? Reducer { get; set; }

    /// <summary>Its mapper, if it is a type.</summary>
    public StreamingValue? MapperType { get; set; }

    /// <summary>Its combiner, if it is a type.</summary>
    public StreamingValue? CombinerType { get; set; }

    /// <summary>Its reducer, if it is a type.</summary>
    public StreamingValue? ReducerType { get; set; }

    /// <summary>What says which reduce a pair goes to, if it is a type.</summary>
    public StreamingValue? PartitionerType { get; set; }

    /// <summary>Its assembly, if that is uploaded.</summary>
    public StreamingUpload? Assembly { get; set; }

    /// <summary>Files for the working folder that are uploaded.</summary>
    public List<StreamingUpload> Uploads { get; } = [];

    /// <summary>Files for the working folder that are in the file store.</summary>
    public List<JobFile> Files { get; } = [];

    /// <summary>Variables of -cmdenv.</summary>
    public SortedDictionary<string, string> Environment { get; } = new(StringComparer.Ordinal);

    /// <summary>Whether keys are compared by parts of them; the property's parts count only then.</summary>
    public bool ComparesFields { get; set; }

    /// <summary>Whether keys are distributed by parts of them.</summary>
    public bool PartitionsByFields { get; set; }

    /// <summary>Whether the map function gets keys of records; null: the input says so.</summary>
    public bool? MapInputHasKey { get; set; }

    /// <summary>-lazyOutput.</summary>
    public bool IsLazy { get; set; }

    /// <summary>-verbose.</summary>
    public bool IsVerbose { get; set; }

    /// <summary>-help.</summary>
    public bool WantsHelp { get; set; }

    /// <summary>All properties, by name; what options said counts more than -D, as there.</summary>
    public IReadOnlyDictionary<string, StreamingValue> Properties
    {
        get
        {
            var all = new SortedDictionary<string, StreamingValue>(_properties, StringComparer.Ordinal);
            foreach ((string name, StreamingValue value) in _byOption)
            {
                all[name] = value;
            }

            return all;
        }
    }

    /// <summary>Sets a property, under its new name; the last one counts.</summary>
    public void Set(StreamingValue value) => _properties[StreamingProperties.NewNameOf(value.Name)] = value;

    /// <summary>Sets a property by an option of its own.</summary>
    /// <param name="property">Its new name.</param>
    /// <param name="value">Its value, with the option's name.</param>
    public void SetByOption(string property, StreamingValue value) => _byOption[property] = value;
}
