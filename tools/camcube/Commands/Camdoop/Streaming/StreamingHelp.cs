namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>What <c>-help</c> prints: the options, and the properties of <c>-D</c>.</summary>
internal static class StreamingHelp
{
    private const int Width = 120;
    private const int Indent = 4;

    /// <summary>Its lines, at most 120 characters each.</summary>
    public static IEnumerable<string> Lines()
    {
        yield return "Options, with one dash or two:";
        foreach (string line in StreamingArguments.All.SelectMany(Lines))
        {
            yield return line;
        }

        yield return "";
        yield return "Properties of -D, and their old names. All others go into the environment of programs only:";
        foreach (string line in StreamingProperties.All.SelectMany(Lines))
        {
            yield return line;
        }
    }

    /// <summary>What an option does, or what becomes of it, as a part of a sentence.</summary>
    public static string WordsOf(StreamingOption option) =>
        option.Treatment == StreamingTreatment.Honoured
            ? option.Does
            : $"{option.Treatment.ToString().ToLowerInvariant()}: {option.Does}";

    private static IEnumerable<string> Lines(StreamingOption option)
    {
        yield return $"  {string.Join(", ", option.Names)}{(option.Value is null ? "" : $" {option.Value}")}";
        string line = new(' ', Indent);
        foreach (string word in WordsOf(option).Split(' '))
        {
            if (line.Length + word.Length + 1 > Width)
            {
                yield return line;
                line = new string(' ', Indent);
            }

            line += line.Length == Indent ? word : $" {word}";
        }

        yield return line;
    }
}
