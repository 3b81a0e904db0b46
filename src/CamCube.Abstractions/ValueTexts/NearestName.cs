namespace CamCube.ValueTexts;

/// <summary>Finds the name that somebody probably meant.</summary>
public static class NearestName
{
    private const int ShortestBeginning = 3;
    private const int MostKnown = 256;

    /// <summary>The known name with the fewest edits from the given one, or the only one that begins like it; without
    /// case. Null if there is none, or more than anybody could have mixed up.</summary>
    public static string? Find(string name, IReadOnlyCollection<string> known)
    {
        if (known.Count > MostKnown)
        {
            return null;
        }

        string? best = null;
        int fewest = int.MaxValue;
        foreach (string candidate in known)
        {
            // Each letter more is an edit at least.
            int least = Math.Abs(name.Length - candidate.Length);
            int edits =
                least > Allowed(name, candidate)
                    ? int.MaxValue
                    : Edits(name.ToUpperInvariant(), candidate.ToUpperInvariant());
            if (edits < fewest)
            {
                (best, fewest) = (candidate, edits);
            }
        }

        if (best is not null && fewest <= Allowed(name, best))
        {
            return best;
        }

        string[] longer = [.. known.Where(k => k.StartsWith(name, StringComparison.OrdinalIgnoreCase))];
        return name.Length >= ShortestBeginning && longer.Length == 1 ? longer[0] : null;
    }

    private static int Allowed(string name, string candidate) =>
        Math.Max(1, Math.Min(name.Length, candidate.Length) / 3);

    /// <summary>Insertions, deletions, replacements and swaps of neighbours that turn one name into the
    /// other.</summary>
    public static int Edits(string a, string b)
    {
        int[,] edits = new int[a.Length + 1, b.Length + 1];
        for (int i = 0; i <= a.Length; i++)
        {
            for (int j = 0; j <= b.Length; j++)
            {
                edits[i, j] =
                    i == 0 || j == 0
                        ? i + j
                        : Math.Min(
                            Math.Min(edits[i - 1, j], edits[i, j - 1]) + 1,
                            edits[i - 1, j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                        );
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                {
                    edits[i, j] = Math.Min(edits[i, j], edits[i - 2, j - 2] + 1);
                }
            }
        }

        return edits[a.Length, b.Length];
    }
}
