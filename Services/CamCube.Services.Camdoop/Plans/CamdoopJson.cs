using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace CamCube.Services.Camdoop.Plans;

/// <summary>What the service keeps in the file store, and says of jobs, as JSON.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull
)]
[JsonSerializable(typeof(JobRecord))]
[JsonSerializable(typeof(PlanRecord))]
[JsonSerializable(typeof(EndRecord))]
[JsonSerializable(typeof(JobState))]
[JsonSerializable(typeof(JobReport))]
internal sealed partial class CamdoopJson : JsonSerializerContext
{
    /// <summary>How a type is written.</summary>
    public static JsonTypeInfo<T> TypeOf<T>() => (JsonTypeInfo<T>)Default.GetTypeInfo(typeof(T))!;

    /// <summary>The bytes of a value.</summary>
    public static byte[] BytesOf<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, TypeOf<T>());

    /// <summary>Reads what may be anything.</summary>
    public static bool TryRead<T>(ReadOnlySpan<byte> json, [NotNullWhen(true)] out T? value)
        where T : class => JsonBytes.TryRead(json, TypeOf<T>(), out value);
}
