using System.Collections;
using System.Text;
using System.Text.Json;
using CamCube.ValueTexts;
using Microsoft.Extensions.Configuration;

namespace CamCube.Hosting.Settings;

/// <summary>Puts the settings together: appsettings.json beside the host, a further file, the environment, the command
/// line; what comes later wins.</summary>
internal static class SettingsSources
{
    /// <summary>Name of the settings file beside the host.</summary>
    public const string FileName = "appsettings.json";

    /// <summary>More settings than this are not settings of a host, and looking for what was meant would take
    /// minutes.</summary>
    public const int MostSettings = 2_048;

    private static readonly string[] Sections = ["CamCube", "Logging"];

    /// <summary>Reads all sources.</summary>
    /// <param name="folder">Folder of the host.</param>
    /// <param name="limit">Largest settings file in bytes.</param>
    /// <param name="environment">Environment variables.</param>
    /// <param name="commandLine">Command line.</param>
    /// <param name="mistakes">Gets a line per file that cannot be read, and what no setting may be.</param>
    /// <returns>Null after a mistake: what depends on it would only look wrong.</returns>
    public static IConfigurationRoot? Read(
        string folder,
        int limit,
        IDictionary environment,
        CommandLine commandLine,
        Mistakes mistakes
    )
    {
        var builder = new ConfigurationBuilder();
        int before = mistakes.Lines.Count;
        string shipped = Path.Combine(folder, FileName);
        if (Path.Exists(shipped))
        {
            AddFile(builder, shipped, limit, mistakes);
        }

        if (commandLine.SettingsFile is { } file)
        {
            AddFile(builder, Path.GetFullPath(file), limit, mistakes);
        }

        if (mistakes.Lines.Count > before)
        {
            return null;
        }

        IConfigurationRoot root = builder
            .AddInMemoryCollection(FromEnvironment(environment))
            .AddInMemoryCollection(commandLine.Settings)
            .Build();
        CheckValues(root, mistakes);
        return mistakes.Lines.Count > before ? null : root;
    }

    private static void CheckValues(IConfigurationRoot root, Mistakes mistakes)
    {
        // The names of groups are in this list, too; they have no value.
        KeyValuePair<string, string?>[] settings =
        [
            .. Sections
                .SelectMany(section => root.GetSection(section).AsEnumerable())
                .Where(setting => setting.Value is not null),
        ];
        if (settings.Length > MostSettings)
        {
            mistakes.Add($"there are {settings.Length} settings; allowed are {MostSettings}.");
            return;
        }

        foreach ((string name, string? value) in settings)
        {
            if (value!.Contains('\0'))
            {
                mistakes.Value(name, value, "no setting has a NUL character");
            }
            else if (value.Length > 0 && Sections.Contains(name, StringComparer.OrdinalIgnoreCase))
            {
                mistakes.Value(name, value, "this is a group of settings");
            }
        }
    }

    /// <summary>A file's bytes, or more than so many; what has no end is not read to its end.</summary>
    private static byte[] ReadAtMost(string path, int limit)
    {
        using FileStream stream = new(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
        using MemoryStream content = new();
        byte[] block = new byte[Math.Min(limit + 1, 65_536)];
        for (int count; content.Length <= limit && (count = stream.Read(block)) > 0; )
        {
            content.Write(block, 0, count);
        }

        return content.ToArray();
    }

    private static void AddFile(ConfigurationBuilder builder, string path, int limit, Mistakes mistakes)
    {
        try
        {
            byte[] content = ReadAtMost(path, limit);
            if (content.Length > limit)
            {
                mistakes.Add($"{path}: is larger than {limit} bytes, which a settings file may have.");
                return;
            }

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
            if (
                !Sections.Contains(section, StringComparer.OrdinalIgnoreCase)
                && NearestName.Find(section, Sections) is { } nearest
            )
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
            if (Sections.Any(section => name.StartsWith($"{section}:", StringComparison.OrdinalIgnoreCase)))
            {
                yield return new(name, (string?)variable.Value);
            }
        }
    }
}
