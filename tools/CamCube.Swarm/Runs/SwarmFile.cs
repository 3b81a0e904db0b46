using System.Globalization;
using System.Text.Json;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Runs;

/// <summary>The result file of swarm runs (<c>swarm.json</c>), from which runs are replayed.</summary>
/// <param name="Format">Always <see cref="FormatName"/>.</param>
/// <param name="Version"><see cref="SwarmDraw.Version"/> of the program that wrote it.</param>
/// <param name="IsComplete">False: it was ended early, and runs are missing.</param>
/// <param name="Planned">Runs that were to be done.</param>
/// <param name="Runs">Runs that were done, in seed order.</param>
public sealed record SwarmFile(
    string Format,
    int Version,
    bool IsComplete,
    int Planned,
    IReadOnlyList<SwarmFileRun> Runs
)
{
    /// <summary>Name of the file in its folder.</summary>
    public const string FileName = "swarm.json";

    /// <summary>Says what the file is.</summary>
    public const string FormatName = "camcube swarm";

    /// <summary>Reads a file.</summary>
    /// <exception cref="SwarmException">It cannot be read, or is something else, or of another version.</exception>
    public static SwarmFile Read(string path)
    {
        string text;
        try
        {
            text = File.ReadAllText(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw SwarmException.OfUsage($"--replay {path}: {e.Message}");
        }

        try
        {
            // The version first: the rest may look different in another one.
            using JsonDocument document = JsonDocument.Parse(text);
            if (
                document.RootElement.ValueKind != JsonValueKind.Object
                || !document.RootElement.TryGetProperty("format", out JsonElement format)
                || format.GetString() != FormatName
            )
            {
                throw SwarmException.OfUsage($"--replay {path}: this is no result file of camcube sim swarm.");
            }

            int version = document.RootElement.GetProperty("version").GetInt32();
            return version != SwarmDraw.Version
                ? throw SwarmException.OfUsage(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"--replay {path}: its version is {version}, this program replays version "
                            + $"{SwarmDraw.Version} only."
                    )
                )
                : document.Deserialize<SwarmFile>(SwarmJson.Options)!;
        }
        catch (Exception e)
            when (e is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
        {
            throw SwarmException.OfUsage($"--replay {path}: the file is damaged: {e.Message}");
        }
    }

    /// <summary>Writes it, so that at any time the file is whole.</summary>
    public void Write(string path)
    {
        string draft = path + ".new";
        File.WriteAllText(draft, JsonSerializer.Serialize(this, SwarmJson.Options));
        File.Move(draft, path, overwrite: true);
    }
}
