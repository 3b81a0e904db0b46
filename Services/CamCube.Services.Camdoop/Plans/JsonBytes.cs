using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace CamCube.Services.Camdoop.Plans;

/// <summary>Reads JSON that may be anything.</summary>
internal static class JsonBytes
{
    /// <summary>Reads a value.</summary>
    /// <returns>Whether it is one, and sound.</returns>
    public static bool TryRead<T>(ReadOnlySpan<byte> json, JsonTypeInfo<T> type, [NotNullWhen(true)] out T? value)
        where T : class
    {
        try
        {
            value = JsonSerializer.Deserialize(json, type);
        }
        catch (Exception e) when (e is JsonException or NotSupportedException or ArgumentException)
        {
            value = null;
        }

        if (value is IChecked { IsSound: false })
        {
            value = null;
        }

        return value is not null;
    }
}
