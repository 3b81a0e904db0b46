using System.Buffers.Text;
using CamCube.FrontEnds.Buffers;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>Keys that a client writes as base64, read as generously as memcached 1.6.18 reads them. Pure.</summary>
internal static class Base64Key
{
    /// <summary>Most bytes a key of <see cref="CommandSlot.MaxKeyLength"/> bytes needs as text.</summary>
    public const int MaxTextLength = (CommandSlot.MaxKeyLength + 2) / 3 * 4;

    private const int GroupLength = 4;
    private const int BitsPerLetter = 6;
    private const int NoLetter = -1;

    /// <summary>
    /// Reads a key. Bytes that are no letters of the alphabet are passed over; the rest must be whole groups of four,
    /// of which the first that is padded is the last. What comes behind it is not looked at.
    /// </summary>
    /// <param name="text">What the client wrote.</param>
    /// <param name="key">At least 3/4 of the text's length.</param>
    /// <returns>Bytes of the key; 0 if the text is none.</returns>
    public static int Decode(ReadOnlySpan<byte> text, Span<byte> key)
    {
        int letters = 0;
        foreach (byte letter in text)
        {
            letters += ValueOf(letter) == NoLetter ? 0 : 1;
        }

        if (letters == 0 || letters % GroupLength != 0)
        {
            return 0;
        }

        int length = 0,
            inGroup = 0,
            padding = 0,
            bits = 0;
        foreach (byte letter in text)
        {
            int value = ValueOf(letter);
            if (value == NoLetter)
            {
                continue;
            }

            padding += letter == '=' ? 1 : 0;
            bits = (bits << BitsPerLetter) | value;
            if (++inGroup < GroupLength)
            {
                continue;
            }

            const int MostPadding = 2;
            if (padding > MostPadding)
            {
                return 0;
            }

            key[length] = (byte)(bits >> 16);
            if (padding < 2)
            {
                key[length + 1] = (byte)(bits >> 8);
            }

            if (padding < 1)
            {
                key[length + 2] = (byte)bits;
            }

            length += 3 - padding;
            if (padding > 0)
            {
                break;
            }

            inGroup = bits = 0;
        }

        return length;
    }

    /// <summary>Writes a key as base64.</summary>
    public static void Write(ReadOnlySpan<byte> key, ReplyBuffer output)
    {
        Span<byte> text = stackalloc byte[MaxTextLength];
        Base64.EncodeToUtf8(key, text, out _, out int written);
        output.Write(text[..written]);
    }

    private static int ValueOf(byte letter) =>
        (char)letter switch
        {
            >= 'A' and <= 'Z' => letter - 'A',
            >= 'a' and <= 'z' => letter - 'a' + 26,
            >= '0' and <= '9' => letter - '0' + 52,
            '+' => 62,
            '/' => 63,
            '=' => 0,
            _ => NoLetter,
        };
}
