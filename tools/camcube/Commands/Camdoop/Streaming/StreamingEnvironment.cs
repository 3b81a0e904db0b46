using CamCube.Services.Camdoop;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>The environment of a job's programs, as far as it is the same for all tasks: each property under its new
/// and old name, with an underscore for what is no letter or digit, and what -cmdenv says. What depends on the task,
/// PATH, HOME and TMP are the service's.</summary>
internal static class StreamingEnvironment
{
    /// <summary>The environment, as NAME=value, by name.</summary>
    public static IReadOnlyList<string> Of(JobDescription job, StreamingDraft draft)
    {
        var all = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach ((string name, StreamingValue value) in draft.Properties)
        {
            Add(all, name, value.Text);
        }

        Add(all, StreamingProperties.Title, job.Title);
        Add(all, StreamingProperties.Reduces, $"{job.Reduces}");
        Add(all, StreamingProperties.InputDirectories, string.Join(',', job.Inputs.Select(StorePath.Show)));
        Add(all, StreamingProperties.OutputDirectory, StorePath.Show(job.Output));
        foreach ((string name, string value) in draft.Environment)
        {
            all[name] = value;
        }

        return [.. all.Select(static one => $"{one.Key}={one.Value}")];
    }

    /// <summary>The variable of a property.</summary>
    public static string NameOf(string property) =>
        string.Create(
            property.Length,
            property,
            static (name, from) =>
            {
                for (int i = 0; i < name.Length; i++)
                {
                    name[i] = char.IsAsciiLetterOrDigit(from[i]) ? from[i] : '_';
                }
            }
        );

    private static void Add(SortedDictionary<string, string> all, string property, string value)
    {
        foreach (string name in StreamingProperties.Find(property)?.Names ?? [property])
        {
            all[NameOf(name)] = value;
        }
    }
}
