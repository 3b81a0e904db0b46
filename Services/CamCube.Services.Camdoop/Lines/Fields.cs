namespace CamCube.Services.Camdoop.Lines;

/// <summary>Fields of a line.</summary>
internal static class Fields
{
    /// <summary>The first fields with what is between them; all of it, if there are fewer.</summary>
    /// <param name="line">The line.</param>
    /// <param name="separator">What is between fields; empty: it has one.</param>
    /// <param name="count">How many; 0: all.</param>
    public static ReadOnlySpan<byte> First(ReadOnlySpan<byte> line, ReadOnlySpan<byte> separator, int count)
    {
        if (count <= 0 || separator.IsEmpty)
        {
            return line;
        }

        int at = 0;
        for (int i = 0; i < count; i++)
        {
            int next = line[at..].IndexOf(separator);
            if (next < 0)
            {
                return line;
            }

            if (i == count - 1)
            {
                return line[..(at + next)];
            }

            at += next + separator.Length;
        }

        return line;
    }
}
