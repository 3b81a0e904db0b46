using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using CamCube.Services.Camdoop.Plans;

namespace CamCube.Services.Camdoop.Wire;

/// <summary>What trackers and servers say to each other as JSON.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull
)]
[JsonSerializable(typeof(SyncOrder))]
[JsonSerializable(typeof(SyncReport))]
internal sealed partial class SyncJson : JsonSerializerContext
{
    /// <summary>The bytes of an order.</summary>
    public static byte[] BytesOf(SyncOrder order) => JsonSerializer.SerializeToUtf8Bytes(order, Default.SyncOrder);

    /// <summary>The bytes of a report.</summary>
    public static byte[] BytesOf(SyncReport report) => JsonSerializer.SerializeToUtf8Bytes(report, Default.SyncReport);

    /// <summary>Reads an order.</summary>
    public static bool TryRead(ReadOnlySpan<byte> json, [NotNullWhen(true)] out SyncOrder? order) =>
        JsonBytes.TryRead(json, Default.SyncOrder, out order);

    /// <summary>Reads a report.</summary>
    public static bool TryRead(ReadOnlySpan<byte> json, [NotNullWhen(true)] out SyncReport? report) =>
        JsonBytes.TryRead(json, Default.SyncReport, out report);
}
