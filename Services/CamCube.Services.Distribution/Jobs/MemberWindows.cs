using CamCube.Services.Distribution.Pieces;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>What a member has to have in memory before it can receive a file. Loop only.</summary>
internal static class MemberWindows
{
    /// <summary>Rents all of it, or nothing. Null: there is no memory for it now.</summary>
    /// <param name="terms">What all jobs have in common.</param>
    /// <param name="job">The job.</param>
    /// <param name="check">Room for what is read at once for the SHA-256.</param>
    /// <returns>What pieces come into, for each tree.</returns>
    public static PieceSlot[][]? TryRent(JobTerms terms, Job job, out byte[]? check)
    {
        List<byte[]> rented = [];
        var windows = new PieceSlot[job.Plan.Trees][];
        bool hasRoom = TryRent(terms, rented, DistributionOptions.MostPieceBytes);
        for (int tree = 0; tree < windows.Length && hasRoom; tree++)
        {
            windows[tree] = new PieceSlot[Math.Min(terms.Options.Window, job.Layout.CountOf(tree))];
            for (int i = 0; i < windows[tree].Length && hasRoom; i++)
            {
                hasRoom = TryRent(terms, rented, job.Manifest.PieceBytes);
                windows[tree][i] = new PieceSlot(hasRoom ? rented[^1] : []);
            }
        }

        check = hasRoom ? rented[0] : null;
        if (!hasRoom)
        {
            rented.ForEach(terms.Windows.Return);
        }

        return hasRoom ? windows : null;
    }

    /// <summary>Gives the windows back.</summary>
    public static void Return(JobTerms terms, PieceSlot[][] windows)
    {
        foreach (PieceSlot slot in windows.SelectMany(static slots => slots))
        {
            terms.Windows.Return(slot.Bytes);
        }
    }

    private static bool TryRent(JobTerms terms, List<byte[]> rented, int length)
    {
        if (terms.Windows.TryRent(length) is { } buffer)
        {
            rented.Add(buffer);
            return true;
        }

        return false;
    }
}
