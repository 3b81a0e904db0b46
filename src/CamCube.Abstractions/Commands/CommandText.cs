namespace CamCube;

/// <summary>What others wrote, fit for a line of text. Any thread.</summary>
internal static class CommandText
{
    private const int Longest = 200;

    /// <summary>Without control characters, and cut if it is long.</summary>
    public static string Shown(string text)
    {
        string cut = text.Length > Longest ? text[..Longest] + "..." : text;
        return string.Create(
            cut.Length,
            cut,
            static (span, from) =>
            {
                for (int i = 0; i < span.Length; i++)
                {
                    span[i] = char.IsControl(from[i]) ? ' ' : from[i];
                }
            }
        );
    }

    /// <summary>Type and text of an exception: "KeyNotFoundException: The given key 'to' was not present."</summary>
    public static string Of(Exception e) => $"{e.GetType().Name}: {Shown(e.Message)}";
}
