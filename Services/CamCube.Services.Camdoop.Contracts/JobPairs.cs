namespace CamCube.Services.Camdoop;

/// <summary>
/// That the pairs of a job's output go into the key-value store, too: of each line what comes before its separator is
/// the key, behind <paramref name="Prefix"/>, and what comes after it the value, in the place of what is there. They
/// are put once all output is there, so a job that fails before that has put none; who reads meanwhile sees some of
/// them. Of several lines with one key the last one of a file stays, and of several files any.
/// </summary>
/// <param name="Prefix">What all keys begin with; may be empty. With a tag (<c>{…}</c>) all are kept by the same
/// servers.</param>
/// <param name="Table">The table of the key-value store, 0 to <see cref="HighestTable"/>.</param>
public sealed record JobPairs(string Prefix, int Table = 0)
{
    /// <summary>The highest table.</summary>
    public const int HighestTable = 15;

    /// <summary>Most bytes of a prefix in UTF-8.</summary>
    public const int MostPrefix = 4_096;
}
