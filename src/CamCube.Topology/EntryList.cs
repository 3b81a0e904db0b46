namespace CamCube.Topology;

/// <summary>Entries in rank order, one per server.</summary>
internal static class EntryList
{
    /// <summary>Where the server's entry stands; negative if it has none.</summary>
    public static int PlaceOf(ReadOnlySpan<CubeEntry> entries, TorusShape shape, int rank)
    {
        int low = 0,
            high = entries.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) >> 1;
            int at = shape.RankOf(entries[middle].Server);
            if (at == rank)
            {
                return middle;
            }

            if (at < rank)
            {
                low = middle + 1;
            }
            else
            {
                high = middle - 1;
            }
        }

        return ~low;
    }

    /// <summary>In rank order, of several entries of one server the newest.</summary>
    public static CubeEntry[] NewestOfEach(List<CubeEntry> entries, TorusShape shape)
    {
        if (entries.Count <= 1)
        {
            return [.. entries];
        }

        entries.Sort(
            (a, b) =>
            {
                int byRank = shape.RankOf(a.Server).CompareTo(shape.RankOf(b.Server));
                return byRank != 0 ? byRank
                    : a.IsNewerThan(b) ? -1
                    : b.IsNewerThan(a) ? 1
                    : a.Bits.CompareTo(b.Bits);
            }
        );
        var newest = new List<CubeEntry>(entries.Count);
        foreach (CubeEntry entry in entries)
        {
            if (newest.Count == 0 || newest[^1].Server != entry.Server)
            {
                newest.Add(entry);
            }
        }

        return [.. newest];
    }

    /// <summary>The old entries, replaced or joined by the new ones.</summary>
    public static CubeEntry[] Merge(CubeEntry[] old, CubeEntry[] news, TorusShape shape)
    {
        var merged = new List<CubeEntry>(old.Length + news.Length);
        int next = 0;
        foreach (CubeEntry entry in news)
        {
            int rank = shape.RankOf(entry.Server);
            for (; next < old.Length && shape.RankOf(old[next].Server) < rank; next++)
            {
                merged.Add(old[next]);
            }

            merged.Add(entry);
            if (next < old.Length && old[next].Server == entry.Server)
            {
                next++;
            }
        }

        merged.AddRange(old.AsSpan(next));
        return [.. merged];
    }
}
