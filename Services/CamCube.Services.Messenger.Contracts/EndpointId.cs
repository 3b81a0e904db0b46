using System.Globalization;

namespace CamCube.Services.Messenger;

/// <summary>
/// What a message is addressed to: a number below 65,536, or the first 8 bytes of the SHA-1 of a name. Whoever has it
/// can reach the endpoint, wherever it is; nobody needs the name for that.
/// </summary>
/// <param name="Value">The number; 0 is an id like others.</param>
public readonly record struct EndpointId(ulong Value)
{
    /// <summary>Longest name in bytes of UTF-8.</summary>
    public const int MostNameBytes = 64;

    /// <summary>Ids below are numbers that were given, not hashes of names.</summary>
    public const ulong FirstOfNames = 65_536;

    /// <summary>The id of a name: of one that is a decimal number from 0 to 65,535, without zeros in front, that
    /// number; of others the hash. Any thread. Allocates nothing.</summary>
    /// <param name="name">1 to 64 bytes in UTF-8.</param>
    /// <param name="id">The id.</param>
    /// <returns>False: the name is empty, too long, or has half a surrogate pair, which no UTF-8 has.</returns>
    public static bool TryOfName(ReadOnlySpan<char> name, out EndpointId id)
    {
        id = default;
        Span<byte> utf8 = stackalloc byte[MostNameBytes];
        if (
            name.IsEmpty
            || name.Length > MostNameBytes
            || System.Text.Unicode.Utf8.FromUtf16(name, utf8, out _, out int bytes, replaceInvalidSequences: false)
                != System.Buffers.OperationStatus.Done
        )
        {
            return false;
        }

        if (
            ushort.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out ushort number)
            && (name.Length == 1 || name[0] != '0')
        )
        {
            id = new EndpointId(number);
            return true;
        }

        // The first 8 of the 20 bytes: a key has its first 4 apart.
        Key hash = Key.OfBytes(utf8[..bytes]);
        id = new EndpointId(((ulong)hash.High << 32) | (hash.Middle >> 32));
        return true;
    }

    /// <summary>The id of a name that is known to be right.</summary>
    /// <exception cref="ArgumentException">It is not: see <see cref="TryOfName"/>.</exception>
    public static EndpointId OfName(ReadOnlySpan<char> name) =>
        TryOfName(name, out EndpointId id)
            ? id
            : throw new ArgumentException($"'{name}' is no name of an endpoint: 1 to {MostNameBytes} bytes of UTF-8.");

    /// <summary>16 hex digits; a number in decimal.</summary>
    public override string ToString() =>
        Value < FirstOfNames
            ? Value.ToString(CultureInfo.InvariantCulture)
            : Value.ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>The key whose root keeps who has this endpoint: of <c>endpoint/</c> and the 16 hex digits of the id.
    /// Any thread. Allocates nothing.</summary>
    public Key ToKey()
    {
        Span<byte> text = stackalloc byte["endpoint/".Length + 16];
        "endpoint/"u8.CopyTo(text);
        Value.TryFormat(text["endpoint/".Length..], out _, "x16", CultureInfo.InvariantCulture);
        return Key.OfBytes(text);
    }
}
