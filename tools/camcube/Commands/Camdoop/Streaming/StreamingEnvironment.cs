using System.Text;
using CamCube.Services.Camdoop;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>The environment of a job's programs, as far as it is the same for all tasks: each property under its new
/// and old name, with an underscore for what is no letter or digit, and what -cmdenv says. What depends on the task,
/// PATH, HOME and TMP are the service's.</summary>
internal static class StreamingEnvironment
{
    /// <summary>Most bytes of one variable with its name: an operating system starts nothing with more.</summary>
    public const int MostBytes = 100 << 10;

    /// <summary>Most bytes of all.</summary>
    public const int MostBytesOfAll = 1 << 20;

    /// <summary>The environment, as NAME=value, by name. A list of inputs that is too long is left out.</summary>
    /// <exception cref="ToolException">There is too much of something else.</exception>
    public static IReadOnlyList<string> Of(JobDescription job, StreamingDraft draft)
    {
        var all = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach ((string name, StreamingValue value) in draft.Properties)
        {
            Add(all, name, value.Text);
        }

        Add(all, StreamingProperties.Title, job.Title);
        Add(all, StreamingProperties.Reduces, $"{job.Reduces}");
        string inputs = string.Join(',', job.Inputs.Select(StorePath.Show));
        if (Encoding.UTF8.GetByteCount(inputs) < MostBytes / 2)
        {
            Add(all, StreamingProperties.InputDirectories, inputs);
        }

        Add(all, StreamingProperties.OutputDirectory, StorePath.Show(job.Output));
        foreach ((string name, string value) in draft.Environment)
        {
            all[name] = value;
        }

        string[] variables = [.. all.Select(static one => $"{one.Key}={one.Value}")];
        foreach (string one in variables.Where(static one => Encoding.UTF8.GetByteCount(one) > MostBytes))
        {
            throw new ToolException(
                ExitCode.Usage,
                $"{one[..one.IndexOf('=', StringComparison.Ordinal)]}: a variable of the environment has "
                    + $"{MostBytes:N0} bytes at most with its name."
            );
        }

        return variables.Sum(Encoding.UTF8.GetByteCount) <= MostBytesOfAll
            ? variables
            : throw new ToolException(
                ExitCode.Usage,
                $"-D and -cmdenv: the whole environment has {MostBytesOfAll:N0} bytes at most."
            );
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
