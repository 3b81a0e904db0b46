using System.Collections;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Configuration;

namespace CamCube.Hosting.Settings;

/// <summary>Puts the settings together: appsettings.json beside the host, a further file, the environment, the command
/// line; what comes later wins.</summary>
internal static class SettingsSources
{
    /// <summary>Name of the settings file beside the host.</summary>
    public const string FileName = "appsettings.json";

    private static readonly string[] _sections = ["CamCube", "Logging"];

    /// <summary>Reads all sources.</summary>
    /// <param name="folder">Folder of the host.</param>
    /// <param name="commandLine">Command line.</param>
    /// <param name="environment">Environment variables.</param>
    /// <param name="mistakes">Gets a line per file that cannot be read.</param>
    /// <returns>Null if a file cannot be read: what depends on it would only look wrong.</returns>
    public static IConfigurationRoot? Read(
        string folder, CommandLine commandLine, IDictionary environment, Mistakes mistakes)
    {
        var builder = new ConfigurationBuilder();
        int before = mistakes.Lines.Count;
        string shipped = Path.Combine(folder, FileName);
        if (Path.Exists(shipped))
        {
            AddFile(builder, shipped, mistakes);
        }

        if (commandLine.SettingsFile is { } file)
        {
            AddFile(builder, Path.GetFullPath(file), mistakes);
        }

        return mistakes.Lines.Count > before ? null : builder
            .AddInMemoryCollection(FromEnvironment(environment))
            .AddInMemoryCollection(commandLine.Settings)
            .Build();
    }

    private static void AddFile(ConfigurationBuilder builder, string path, Mistakes mistakes)
    {
        try
        {
            byte[] content = File.ReadAllBytes(path);

            // Parsed here once more, because the provider's own message names neither file nor line of a duplicate or a
            // syntax error.
            var options = new JsonDocumentOptions
            {
                CommentHandling = JsonCommentHandling.Skip,
                AllowTrailingCommas = true,
            };
            using JsonDocument document = JsonDocument.Parse(WithoutMark(content), options);
            CheckTopLevel(document.RootElement, path, mistakes);
            var one = new ConfigurationBuilder().AddJsonStream(new MemoryStream(content));
            one.Build();
            builder.AddJsonStream(new MemoryStream(content));
        }
        catch (JsonException e)
        {
            mistakes.Add($"{path}, line {(e.LineNumber ?? 0) + 1}: not valid JSON: {Reason(e.Message)}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            mistakes.Add($"{path}: cannot be read: {e.Message}");
        }
        catch (Exception e) when (e is FormatException or InvalidDataException)
        {
            mistakes.Add($"{path}: {e.Message}");
        }
    }

    private static ReadOnlyMemory<byte> WithoutMark(byte[] content) =>
        content.AsSpan().StartsWith(Encoding.UTF8.Preamble) ? content.AsMemory(Encoding.UTF8.Preamble.Length) : content;

    /// <summary>JsonException puts its own, zero-based position behind the reason.</summary>
    private static string Reason(string message)
    {
        int position = message.IndexOf(" LineNumber:", StringComparison.Ordinal);
        return position > 0 ? message[..position] : message;
    }

    private static void CheckTopLevel(JsonElement root, string path, Mistakes mistakes)
    {
        if (root.ValueKind != JsonValueKind.Object)
        {
            return;
        }

        foreach (JsonProperty property in root.EnumerateObject())
        {
            string section = property.Name.Split(':')[0];
            if (!_sections.Contains(section, StringComparer.OrdinalIgnoreCase) &&
                NearestName.Find(section, _sections) is { } nearest)
            {
                mistakes.Add($"{path}: {section} is not a section of settings; did you mean {nearest}?");
            }
        }
    }

    private static IEnumerable<KeyValuePair<string, string?>> FromEnvironment(IDictionary environment)
    {
        foreach (DictionaryEntry variable in environment)
        {
            string name = ((string)variable.Key).Replace("__", ":", StringComparison.Ordinal);
            if (_sections.Any(section => name.StartsWith($"{section}:", StringComparison.OrdinalIgnoreCase)))
            {
                yield return new(name, (string?)variable.Value);
            }
        }
    }
}
