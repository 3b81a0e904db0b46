using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Verification;

/// <summary>
/// Compares what members of a group say of the same versions. Each said what it had at a moment of its own: that one
/// lacks a copy proves something only if it had applied that version, and another that has it had applied no less than
/// it. All else is looked at again. Pure.
/// </summary>
internal sealed class CopyComparison
{
    private const ulong IndexMask = (1UL << 40) - 1;

    /// <summary>Versions up to this one are compared.</summary>
    public ulong UpTo { get; private init; }

    /// <summary>How many copies were compared.</summary>
    public int Compared { get; private set; }

    /// <summary>The first value among them that lies in pieces; 0: none. Nothing behind it is compared.</summary>
    public ulong InPieces { get; private init; }

    /// <summary>What differs for certain.</summary>
    public List<CopyDifference> Differences { get; } = [];

    /// <summary>What may be different only because members were asked one after the other.</summary>
    public List<CopyDifference> Doubtful { get; } = [];

    /// <summary>Compares.</summary>
    /// <param name="pages">What each member said, all of it.</param>
    /// <param name="until">The last version that was asked for.</param>
    public static CopyComparison Of(IReadOnlyList<(Coordinate Server, CopyPage Page)> pages, ulong until)
    {
        ulong end = pages.Min(p => p.Page.IsAll ? until : p.Page.Rows[^1].Version);
        ulong[] inPieces =
        [
            .. pages
                .SelectMany(static p => p.Page.Rows)
                .Where(row => row.State == CopyState.InPieces && row.Version <= end)
                .Select(static row => row.Version),
        ];
        ulong first = inPieces.Length > 0 ? inPieces.Min() : 0;
        var comparison = new CopyComparison { UpTo = first > 0 ? first : end, InPieces = first };
        ulong[] versions =
        [
            .. pages
                .SelectMany(static p => p.Page.Rows)
                .Select(static row => row.Version)
                .Where(version => version <= comparison.UpTo)
                .Distinct()
                .Order(),
        ];
        Dictionary<ulong, CopyRow>[] rows =
        [
            .. pages.Select(static p => p.Page.Rows.ToDictionary(static row => row.Version)),
        ];
        foreach (ulong version in versions)
        {
            comparison.Compare(pages, rows, version);
        }

        return comparison;
    }

    private void Compare(
        IReadOnlyList<(Coordinate Server, CopyPage Page)> pages,
        Dictionary<ulong, CopyRow>[] rows,
        ulong version
    )
    {
        ulong shown = 0;
        Dictionary<uint, int> sums = [];
        for (int i = 0; i < pages.Count; i++)
        {
            if (rows[i].TryGetValue(version, out CopyRow row))
            {
                Compared++;
                shown = Math.Max(shown, pages[i].Page.Shown);
                if (row.State is CopyState.Read or CopyState.InPieces)
                {
                    sums[row.Sum] = sums.GetValueOrDefault(row.Sum) + 1;
                }
            }
        }

        // Of two that differ nobody knows which is right: both are said.
        int most = sums.Count > 0 ? sums.Values.Max() : 0;
        bool hasMost = sums.Values.Count(count => count == most) == 1;
        for (int i = 0; i < pages.Count; i++)
        {
            Coordinate server = pages[i].Server;
            if (!rows[i].TryGetValue(version, out CopyRow row))
            {
                ulong here = pages[i].Page.Shown;
                bool isCertain = here >= (version & IndexMask) && shown >= here;
                (isCertain ? Differences : Doubtful).Add(new(server, version, CopyDifferenceKind.Missing));
            }
            else if (row.State == CopyState.Unread)
            {
                Differences.Add(new(server, version, CopyDifferenceKind.Unreadable));
            }
            else if (row.State == CopyState.Changed)
            {
                Doubtful.Add(new(server, version, CopyDifferenceKind.Missing));
            }
            else if (sums.Count > 1 && (sums[row.Sum] < most || !hasMost))
            {
                Differences.Add(new(server, version, CopyDifferenceKind.OtherBytes));
            }
        }
    }
}
