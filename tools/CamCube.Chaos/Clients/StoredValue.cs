using System.IO.Hashing;
using System.Text;

namespace CamCube.Chaos.Clients;

/// <summary>
/// Values with a name each, by which histories call them: the name, a line end, and so many bytes as the name says,
/// which follow from it. Who reads one sees whether all of it is there.
/// </summary>
internal static class StoredValue
{
    /// <summary>The name of the next value: who wrote it, its number, and how many bytes follow.</summary>
    public static string Name(int client, long number, int length) => $"{client}-{number}-{length}";

    /// <summary>The bytes of a value.</summary>
    public static byte[] Of(string name)
    {
        int length = int.Parse(
            name.AsSpan(name.LastIndexOf('-') + 1),
            System.Globalization.CultureInfo.InvariantCulture
        );
        byte[] value = new byte[name.Length + 1 + length];
        Encoding.ASCII.GetBytes(name + "\n", value);
        Fill(name, value.AsSpan(name.Length + 1));
        return value;
    }

    /// <summary>The name of a value that was read; of one that nobody wrote so, words with its length and sum, which
    /// no value has as its name.</summary>
    public static string NameOf(ReadOnlySpan<byte> value)
    {
        int end = value.IndexOf((byte)'\n');
        if (end > 0 && end < 64)
        {
            string name = Encoding.ASCII.GetString(value[..end]);
            int dash = name.LastIndexOf('-');
            if (
                dash >= 0
                && int.TryParse(name.AsSpan(dash + 1), out int length)
                && length == value.Length - end - 1
                && value.SequenceEqual(Of(name))
            )
            {
                return name;
            }
        }

        return $"damaged: {value.Length} bytes, sum {Crc32.HashToUInt32(value):x8}";
    }

    private static void Fill(string name, Span<byte> bytes)
    {
        uint state = Crc32.HashToUInt32(Encoding.ASCII.GetBytes(name)) | 1;
        foreach (ref byte b in bytes)
        {
            // xorshift: anything that follows from the name and has no period of a disk's blocks.
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            b = (byte)state;
        }
    }
}
