using System.Text.Json;

namespace CamCube.Services.Images.FrontEnds.Http;

/// <summary>Answers as JSON.</summary>
internal static class ImagesJson
{
    public const string ContentType = "application/json";

    /// <summary>What was stored.</summary>
    public static byte[] Stored(string name, in ImageAnswer answer)
    {
        using MemoryStream to = new();
        using (var json = new Utf8JsonWriter(to))
        {
            json.WriteStartObject();
            json.WriteString("name", name);
            Write(json, answer);
            json.WriteString("variants", answer.IsPending ? "pending" : "ready");
            json.WriteEndObject();
        }

        return to.ToArray();
    }

    /// <summary>What there is of a name.</summary>
    public static byte[] Described(string name, ImageInfo info, TorusShape cube)
    {
        using MemoryStream to = new();
        using (var json = new Utf8JsonWriter(to))
        {
            json.WriteStartObject();
            json.WriteString("name", name);
            Write(json, info.Image);
            json.WriteString("key", $"{info.Key}");
            json.WriteString("cube", $"{cube}");
            json.WriteString("root", $"{info.Root}");
            json.WriteStartArray("servers");
            foreach (Coordinate server in info.Servers)
            {
                json.WriteStringValue($"{server}");
            }

            json.WriteEndArray();
            json.WriteStartArray("variants");
            foreach (ImageVariantInfo variant in info.Variants)
            {
                json.WriteStartObject();
                json.WriteString("name", variant.Name);
                json.WriteString("state", variant.IsReady ? "ready" : "pending");
                if (variant.IsReady)
                {
                    json.WriteString("type", variant.MediaType);
                    json.WriteNumber("width", variant.Width);
                    json.WriteNumber("height", variant.Height);
                    json.WriteNumber("bytes", variant.Length);
                }

                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteString("workers", info.Workers);
            json.WriteEndObject();
        }

        return to.ToArray();
    }

    private static void Write(Utf8JsonWriter json, in ImageAnswer image)
    {
        json.WriteString("version", $"{image.Version}");
        json.WriteString("type", image.MediaType);
        json.WriteNumber("width", image.Width);
        json.WriteNumber("height", image.Height);
        json.WriteNumber("bytes", image.Length);
    }
}
