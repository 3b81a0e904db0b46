using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace CamCube.Hosting.Http;

/// <summary>The form of all answers: camelCase names, "+x" and not an escape for it.</summary>
internal static class StatusJson
{
    /// <summary>Options of the serializer.</summary>
    public static JsonSerializerOptions Options { get; } =
        new(JsonSerializerDefaults.Web)
        {
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        };

    /// <summary>A member of an enum as the answers have it: ReceiveFull is "receiveFull".</summary>
    public static string Name<T>(T value)
        where T : struct, Enum => JsonNamingPolicy.CamelCase.ConvertName(value.ToString());
}
