namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>
/// Patterns as KEYS and SCAN take them: <c>*</c>, <c>?</c>, <c>[a-c]</c>, <c>[^a]</c>, and <c>\</c> before a letter
/// that is meant itself. Pure; in time of pattern times key at most.
/// </summary>
internal static class GlobPattern
{
    /// <summary>Whether a key fits.</summary>
    public static bool Fits(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> key)
    {
        // Only the last star can need another try: what one before it would take, that can take as well.
        int at = 0,
            place = 0,
            star = -1,
            starIn = 0;
        while (place < key.Length)
        {
            if (at < pattern.Length && pattern[at] == (byte)'*')
            {
                (star, starIn) = (at++, place);
            }
            else if (at < pattern.Length && TryStep(pattern, at, key[place], out int next))
            {
                (at, place) = (next, place + 1);
            }
            else if (star >= 0)
            {
                (at, place) = (star + 1, ++starIn);
            }
            else
            {
                return false;
            }
        }

        return pattern[at..].IndexOfAnyExcept((byte)'*') < 0;
    }

    /// <summary>What all keys that fit begin with.</summary>
    public static ReadOnlySpan<byte> PrefixOf(ReadOnlySpan<byte> pattern)
    {
        int end = pattern.IndexOfAny("*?[\\"u8);
        return end < 0 ? pattern : pattern[..end];
    }

    private static bool TryStep(ReadOnlySpan<byte> pattern, int at, byte letter, out int next)
    {
        next = at + 1;
        switch (pattern[at])
        {
            case (byte)'?':
                return true;
            case (byte)'[':
                return FitsClass(pattern, ref next, letter);
            case (byte)'\\' when next < pattern.Length:
                return pattern[next++] == letter;
            default:
                return pattern[at] == letter;
        }
    }

    private static bool FitsClass(ReadOnlySpan<byte> pattern, ref int at, byte letter)
    {
        bool isNot = at < pattern.Length && pattern[at] == (byte)'^';
        at += isNot ? 1 : 0;
        bool fits = false;
        while (at < pattern.Length && pattern[at] != (byte)']')
        {
            if (pattern[at] == (byte)'\\' && at + 1 < pattern.Length)
            {
                fits |= pattern[at + 1] == letter;
                at += 2;
            }
            else if (at + 2 < pattern.Length && pattern[at + 1] == (byte)'-')
            {
                (byte low, byte high) = (pattern[at], pattern[at + 2]);
                fits |= letter >= Math.Min(low, high) && letter <= Math.Max(low, high);
                at += 3;
            }
            else
            {
                fits |= pattern[at++] == letter;
            }
        }

        at += at < pattern.Length ? 1 : 0;
        return fits != isNot;
    }
}
