using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace CamCube.Experiments.Figures;

/// <summary>The files of a figure: NAME.json with everything, NAME.csv with the data, NAME.svg with the
/// picture.</summary>
public static class FigureFiles
{
    private static readonly JsonSerializerOptions Indented = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    private static readonly JsonSerializerOptions OneLine = new(Indented) { WriteIndented = false };

    /// <summary>Results as one line of JSON.</summary>
    public static string ToLine(IReadOnlyList<FigureResult> results) => JsonSerializer.Serialize(results, OneLine);

    /// <summary>Makes the folder, before anything is run for it.</summary>
    /// <exception cref="ExperimentException">It cannot be one.</exception>
    public static void Prepare(string folder)
    {
        if (File.Exists(folder))
        {
            throw ExperimentException.OfUsage(
                $"--out {folder} is a file; name a folder, which is made if it is not there."
            );
        }

        try
        {
            Directory.CreateDirectory(folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw ExperimentException.OfUsage($"--out {folder}: {e.Message}");
        }
    }

    /// <summary>Writes the three files; each replaces an older one only when it is complete.</summary>
    /// <exception cref="ExperimentException">One cannot be written.</exception>
    public static void Write(FigureResult result, string folder)
    {
        Replace(folder, $"{result.Figure}.json", JsonSerializer.Serialize(result, Indented) + "\n");
        Replace(folder, $"{result.Figure}.csv", Headline(result) + result.Table.ToCsv());
        Replace(folder, $"{result.Figure}.svg", SvgPicture.Of(result));
    }

    private static string Headline(FigureResult result)
    {
        string partial = result.Partial ? ", PARTIAL" : "";
        string scale = result.Scale.ToString().ToLowerInvariant();
        return $"# camcube {result.Version} {result.Figure}, {scale}, seed {result.Seed}{partial}\n";
    }

    private static void Replace(string folder, string name, string text)
    {
        string path = Path.Combine(folder, name),
            half = path + ".tmp";
        try
        {
            File.WriteAllText(half, text);
            File.Move(half, path, overwrite: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ExperimentException($"{path} cannot be written: {e.Message}");
        }
    }
}
