namespace CamCube.Experiments.Cables;

/// <summary>How long a sample is, and the same with sockets.</summary>
/// <param name="Name">The sample.</param>
/// <param name="WithMessages">Its lines that are neither empty nor comments.</param>
/// <param name="WithSockets">Those of the other.</param>
internal sealed record SampleLines(string Name, int WithMessages, int WithSockets)
{
    /// <summary>Of the samples of the messenger, as they were when this program was built.</summary>
    public static IReadOnlyList<SampleLines> Count() =>
        [.. new[] { "PingPong", "FileServer" }.Select(name => new SampleLines(name, Of(name), Of(name + "Sockets")))];

    private static int Of(string name)
    {
        using Stream text = typeof(SampleLines).Assembly.GetManifestResourceStream($"samples.{name}.cs")!;
        using var reader = new StreamReader(text);
        int lines = 0;
        while (reader.ReadLine() is { } line)
        {
            ReadOnlySpan<char> code = line.AsSpan().Trim();
            lines += code.IsEmpty || code.StartsWith("//") ? 0 : 1;
        }

        return lines;
    }
}
