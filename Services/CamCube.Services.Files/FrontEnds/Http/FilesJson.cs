using System.Globalization;
using System.Text.Json;

namespace CamCube.Services.Files.FrontEnds.Http;

/// <summary>Answers as JSON. Any thread.</summary>
internal static class FilesJson
{
    public const string ContentType = "application/json";

    /// <summary>A file or directory, and where it lies.</summary>
    public static byte[] Described(FileLayout layout) =>
        Write(json =>
        {
            json.WriteStartObject();
            WriteFacts(json, layout.Answer.Entry!);
            json.WriteStartArray("chunkList");
            foreach (FileChunk chunk in layout.Chunks)
            {
                json.WriteStartObject();
                json.WriteNumber("offset", chunk.Offset);
                json.WriteNumber("bytes", chunk.Length);
                json.WriteString("key", $"{chunk.Key}");
                json.WriteStartArray("servers");
                foreach (Coordinate server in chunk.Servers)
                {
                    json.WriteStringValue($"{server}");
                }

                json.WriteEndArray();
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        });

    /// <summary>A file that was made, or a directory.</summary>
    public static byte[] Made(FileEntry entry) =>
        Write(json =>
        {
            json.WriteStartObject();
            WriteFacts(json, entry);
            json.WriteEndObject();
        });

    /// <summary>A part of a directory.</summary>
    public static byte[] Listed(string path, FilePage page) =>
        Write(json =>
        {
            json.WriteStartObject();
            json.WriteString("path", path);
            json.WriteStartArray("entries");
            foreach (FileEntry entry in page.Entries)
            {
                json.WriteStartObject();
                WriteFacts(json, entry);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            if (page.Next is not null)
            {
                json.WriteString("next", page.Next);
            }

            json.WriteEndObject();
        });

    private static void WriteFacts(Utf8JsonWriter json, FileEntry entry)
    {
        json.WriteString("path", entry.Path);
        json.WriteString("name", FilePath.NameOf(entry.Path));
        json.WriteString("type", entry.IsDirectory ? "directory" : "file");
        json.WriteNumber("bytes", entry.Length);
        json.WriteString(
            "created",
            entry.Version == 0
                ? null
                : entry.Created.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture)
        );
        json.WriteString("version", $"{entry.Version}");
        if (!entry.IsDirectory)
        {
            json.WriteString("mediaType", entry.MediaType);
            json.WriteString("sha256", Convert.ToHexStringLower(entry.Sha256.Span));
            json.WriteNumber("chunks", entry.Chunks);
        }
    }

    private static byte[] Write(Action<Utf8JsonWriter> write)
    {
        using MemoryStream to = new();
        using (var json = new Utf8JsonWriter(to))
        {
            write(json);
        }

        return to.ToArray();
    }
}
