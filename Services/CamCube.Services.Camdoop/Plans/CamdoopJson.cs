using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Plans;

/// <summary>What the service keeps and says as JSON.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull
)]
[JsonSerializable(typeof(JobRecord))]
[JsonSerializable(typeof(PlanRecord))]
[JsonSerializable(typeof(EndRecord))]
[JsonSerializable(typeof(JobState))]
[JsonSerializable(typeof(SyncOrder))]
[JsonSerializable(typeof(SyncReport))]
internal sealed partial class CamdoopJson : JsonSerializerContext
{
    /// <summary>How a type is written.</summary>
    public static JsonTypeInfo<T> TypeOf<T>() => (JsonTypeInfo<T>)Default.GetTypeInfo(typeof(T))!;

    /// <summary>The bytes of a value.</summary>
    public static byte[] BytesOf<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, TypeOf<T>());

    /// <summary>Reads what may be anything.</summary>
    public static bool TryRead<T>(ReadOnlySpan<byte> json, [NotNullWhen(true)] out T? value)
        where T : class
    {
        try
        {
            value = JsonSerializer.Deserialize(json, TypeOf<T>());
            return value is not null;
        }
        catch (Exception e) when (e is JsonException or NotSupportedException or ArgumentException)
        {
            value = null;
            return false;
        }
    }
}
