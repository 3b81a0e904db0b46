using System.Text.Json;
using System.Text.Json.Serialization;

namespace CamCube.Services.Camdoop.FrontEnds.Http;

/// <summary>The feed as JSON: names as in camelCase, places and links as people write them, as in commands.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(PlaceConverter), typeof(LinkConverter), typeof(PhaseConverter)]
)]
[JsonSerializable(typeof(JobsFeed))]
[JsonSerializable(typeof(JobFeed))]
internal sealed partial class FeedJson : JsonSerializerContext
{
    /// <summary>All jobs.</summary>
    public static byte[] BytesOf(JobsFeed jobs) => JsonSerializer.SerializeToUtf8Bytes(jobs, Default.JobsFeed);

    /// <summary>A job.</summary>
    public static byte[] BytesOf(JobFeed job) => JsonSerializer.SerializeToUtf8Bytes(job, Default.JobFeed);

    private sealed class PlaceConverter : JsonConverter<Coordinate>
    {
        public override Coordinate Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            throw new NotSupportedException();

        public override void Write(Utf8JsonWriter writer, Coordinate value, JsonSerializerOptions options) =>
            writer.WriteStringValue(value.ToString());
    }

    private sealed class LinkConverter : JsonConverter<Link>
    {
        public override Link Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            throw new NotSupportedException();

        public override void Write(Utf8JsonWriter writer, Link value, JsonSerializerOptions options) =>
            writer.WriteStringValue(value.Name());
    }

    private sealed class PhaseConverter()
        : JsonStringEnumConverter<JobPhase>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);
}
