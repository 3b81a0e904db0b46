using System.Buffers;
using System.Text.Json;
using System.Text.Unicode;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>A part of a list as JSON.</summary>
internal static class ListAnswer
{
    /// <summary>What it is.</summary>
    public const string ContentType = "application/json";

    /// <summary>Writes it: keys that are UTF-8 as <c>key</c>, others as <c>hex</c>.</summary>
    public static void Write(IBufferWriter<byte> to, KeyValuePage page)
    {
        using var json = new Utf8JsonWriter(to);
        json.WriteStartObject();
        json.WriteStartArray("keys");
        foreach (KeyValueListing listed in page.Keys)
        {
            json.WriteStartObject();
            if (Utf8.IsValid(listed.Key.Span))
            {
                json.WriteString("key", listed.Key.Span);
            }
            else
            {
                json.WriteString("hex", Convert.ToHexStringLower(listed.Key.Span));
            }

            json.WriteString("version", $"{listed.Version}");
            json.WriteNumber("length", listed.Length);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        if (page.Next is not null)
        {
            json.WriteString("next", page.Next);
        }

        json.WriteEndObject();
    }
}
