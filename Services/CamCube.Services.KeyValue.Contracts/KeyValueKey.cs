using System.Text;

namespace CamCube.Services.KeyValue;

/// <summary>A key in a table. A part of it between the first <c>{</c> and the next <c>}</c>, if there is one and it is
/// not empty, is its tag: keys with the same tag are kept by the same servers, as in Redis Cluster.</summary>
/// <param name="Bytes">1 to 65,535 bytes of any kind, lent until the operation ends.</param>
/// <param name="Table">The table, 0 to 15.</param>
public readonly record struct KeyValueKey(ReadOnlyMemory<byte> Bytes, int Table = 0)
{
    /// <summary>Most bytes of a key.</summary>
    public const int MostBytes = ushort.MaxValue;

    /// <summary>A key from text, in UTF-8.</summary>
    public static KeyValueKey Of(string text, int table = 0) => new(Encoding.UTF8.GetBytes(text), table);
}
