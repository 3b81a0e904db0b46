using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace CamCube.Tool.Hosts;

/// <summary>JSON as the host writes and reads it: camelCase names, "+x" and not an escape for it.</summary>
internal static class ToolJson
{
    /// <summary>Options of the serializer.</summary>
    public static JsonSerializerOptions Options { get; } =
        new(JsonSerializerDefaults.Web)
        {
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,

            // Said here, and not by the first call of the serializer: who asks for a type's metadata may be before it.
            TypeInfoResolver = new DefaultJsonTypeInfoResolver(),
        };

    /// <summary>One line of JSON.</summary>
    public static string Of<T>(T value) => JsonSerializer.Serialize(value, Options);
}
