using System.Runtime.CompilerServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace CamCube;

/// <summary>The form of JSON in commands: camelCase names, enums by name, coordinates and links as people write them.
/// Any thread.</summary>
internal static class CommandJson
{
    // Options keep the types that they have met. Held by the type alone, they let the services' assemblies be unloaded.
    private static readonly ConditionalWeakTable<Type, JsonSerializerOptions> ByType = [];

    public static JsonSerializerOptions OptionsFor(Type type) =>
        ByType.GetValue(
            type,
            static _ => new JsonSerializerOptions(JsonSerializerDefaults.Web)
            {
                Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
                DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
                Converters =
                {
                    new TextConverter<Coordinate>(
                        static (string? text, out Coordinate place) => Coordinate.TryParse(text, out place),
                        static place => place.ToString(),
                        "A coordinate is a text as in \"0,1,2\"."
                    ),
                    new TextConverter<Link>(
                        static (string? text, out Link link) => Links.TryParse(text, out link),
                        static link => link.Name(),
                        "A link is a text as in \"+x\"."
                    ),
                    new JsonStringEnumConverter(JsonNamingPolicy.CamelCase),
                },
            }
        );

    private delegate bool Reader<T>(string? text, out T value);

    private sealed class TextConverter<T>(Reader<T> read, Func<T, string> write, string form) : JsonConverter<T>
    {
        public override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            read(reader.GetString(), out T value) ? value : throw new JsonException(form);

        public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options) =>
            writer.WriteStringValue(write(value));
    }
}
