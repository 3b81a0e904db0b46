using System.Buffers;
using System.Text;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>Keys, which may be any bytes, as text for people. Any thread.</summary>
internal static class KeyText
{
    /// <summary>The text: what is none, controls and half a character at the end included, as in <c>\x00</c>, and
    /// backslashes twice.</summary>
    public static string Of(ReadOnlySpan<byte> key)
    {
        var text = new StringBuilder(key.Length);
        while (!key.IsEmpty)
        {
            OperationStatus status = Rune.DecodeFromUtf8(key, out Rune rune, out int length);
            if (status != OperationStatus.Done || Rune.IsControl(rune) || IsNone(rune))
            {
                foreach (byte b in key[..length])
                {
                    text.Append("\\x").Append(b.ToString("x2", null));
                }
            }
            else
            {
                text.Append(rune.Value == '\\' ? "\\\\" : rune.ToString());
            }

            key = key[length..];
        }

        return text.ToString();
    }

    // They turn text around them about, or break lines.
    private static bool IsNone(Rune rune) =>
        Rune.GetUnicodeCategory(rune)
            is System.Globalization.UnicodeCategory.Format
                or System.Globalization.UnicodeCategory.LineSeparator
                or System.Globalization.UnicodeCategory.ParagraphSeparator;
}
