using System.Text.Encodings.Web;
using System.Text.Json;

namespace CamCube.Tool.Hosts;

/// <summary>JSON as the host writes and reads it: camelCase names, "+x" and not an escape for it.</summary>
internal static class ToolJson
{
    /// <summary>Options of the serializer.</summary>
    public static JsonSerializerOptions Options { get; } =
        new(JsonSerializerDefaults.Web) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>One line of JSON.</summary>
    public static string Of<T>(T value) => JsonSerializer.Serialize(value, Options);
}
