using System.Text;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>Where keys belong, as <see cref="KeyValueKey.ToKey()"/> says it to everybody.</summary>
internal static class KeyRoute
{
    /// <summary>The cube's key of a store's key.</summary>
    public static Key Of(int table, ReadOnlySpan<byte> key) => KeyValueKey.ToKey(table, key);

    /// <summary>A key as text, for people.</summary>
    public static string TextOf(ReadOnlySpan<byte> key) => Encoding.UTF8.GetString(key);
}
