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
                    new PlaceConverter(),
                    new LinkConverter(),
                    new JsonStringEnumConverter(JsonNamingPolicy.CamelCase),
                },
            }
        );

    private sealed class PlaceConverter : JsonConverter<Coordinate>
    {
        public override Coordinate Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            Coordinate.TryParse(reader.GetString(), out Coordinate place)
                ? place
                : throw new JsonException("A coordinate is a text as in \"0,1,2\".");

        public override void Write(Utf8JsonWriter writer, Coordinate value, JsonSerializerOptions options) =>
            writer.WriteStringValue(value.ToString());
    }

    private sealed class LinkConverter : JsonConverter<Link>
    {
        public override Link Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            Links.TryParse(reader.GetString(), out Link link)
                ? link
                : throw new JsonException("A link is a text as in \"+x\".");

        public override void Write(Utf8JsonWriter writer, Link value, JsonSerializerOptions options) =>
            writer.WriteStringValue(value.Name());
    }
}
