using System.Text.Encodings.Web;
using System.Text.Json;

namespace CamCube.Swarm;

/// <summary>JSON of result files, and between processes: camelCase names, "+x" and not an escape for it.</summary>
internal static class SwarmJson
{
    /// <summary>Options of the serializer.</summary>
    public static JsonSerializerOptions Options { get; } =
        new(JsonSerializerDefaults.Web) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>One line of JSON.</summary>
    public static string Of<T>(T value) => JsonSerializer.Serialize(value, Options);
}
