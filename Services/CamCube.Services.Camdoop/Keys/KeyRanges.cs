namespace CamCube.Services.Camdoop.Keys;

/// <summary>Finds the bytes of a key that <see cref="KeyFields"/> name, as Hadoop's KeyFieldHelper does.</summary>
internal static class KeyRanges
{
    /// <summary>The bytes.</summary>
    /// <param name="key">The key.</param>
    /// <param name="separator">What lies between its fields; at least one byte.</param>
    /// <param name="fields">Which of them.</param>
    /// <param name="range">The bytes; empty if they end before they begin.</param>
    /// <returns>Whether they begin within the key. A last field without bytes does not.</returns>
    public static bool TryFind(
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> separator,
        KeyFields fields,
        out ReadOnlySpan<byte> range
    )
    {
        range = default;
        // A character may lie behind its field: then it is one of the next.
        if (!TryField(key, separator, fields.StartField, out int at, out _) || (long)at + fields.StartChar > key.Length)
        {
            return false;
        }

        int start = at + fields.StartChar - 1,
            end = key.Length;
        if (fields.EndField > 0 && TryField(key, separator, fields.EndField, out at, out int length))
        {
            end = (int)Math.Min(key.Length, (long)at + (fields.EndChar == 0 ? length : fields.EndChar));
        }

        range = key[start..Math.Max(start, end)];
        return true;
    }

    private static bool TryField(
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> separator,
        int number,
        out int at,
        out int length
    )
    {
        at = length = 0;
        for (int field = 1; ; field++)
        {
            int found = key[at..].IndexOf(separator);
            length = found < 0 ? key.Length - at : found;
            if (field == number)
            {
                return true;
            }

            if (found < 0)
            {
                return false;
            }

            at += found + separator.Length;
        }
    }
}
