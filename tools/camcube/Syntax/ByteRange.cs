namespace CamCube.Tool.Syntax;

/// <summary>Numbers of bytes from one to another, as people write them: "4KiB..64MiB", or "1MiB" alone.</summary>
/// <param name="Least">The first.</param>
/// <param name="Most">The last, not less.</param>
internal readonly record struct ByteRange(ByteCount Least, ByteCount Most)
{
    private const string Between = "..";

    /// <summary>Reads one or two numbers with their units.</summary>
    public static bool TryParse(string text, out ByteRange range)
    {
        int at = text.IndexOf(Between, StringComparison.Ordinal);
        string first = at < 0 ? text : text[..at],
            last = at < 0 ? text : text[(at + Between.Length)..];
        range = default;
        if (
            !ByteCount.TryParse(first, out ByteCount least)
            || !ByteCount.TryParse(last, out ByteCount most)
            || most.Bytes < least.Bytes
            || most.Bytes > int.MaxValue
        )
        {
            return false;
        }

        range = new ByteRange(least, most);
        return true;
    }
}
