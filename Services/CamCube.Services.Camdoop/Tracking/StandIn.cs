namespace CamCube.Services.Camdoop.Tracking;

/// <summary>Who runs a reduce whose own server is lost. Any thread.</summary>
internal static class StandIn
{
    /// <summary>The server, by rank; less than 0: there is none. All that came by the lost server's cables has to come
    /// by its own: one that is on another line on each axis has all of them, and least of what passes; a neighbour has
    /// one cable less.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="lost">The lost server.</param>
    /// <param name="reduce">The reduce: those of one server have several stand-ins.</param>
    /// <param name="isThere">Whether a server can run it.</param>
    public static int Of(TorusShape shape, Coordinate lost, int reduce, Func<int, bool> isThere)
    {
        int best = -1;
        (int Lines, int Near) most = default;
        for (int i = 0; i < shape.Count; i++)
        {
            int rank = (i + reduce) % shape.Count;
            Coordinate at = shape.At(rank);
            int lines = Enumerable.Range(0, 3).Count(axis => at[axis] != lost[axis]);
            (int Lines, int Near) fit = (lines, -shape.Distance(at, lost));
            if (isThere(rank) && (best < 0 || fit.CompareTo(most) > 0))
            {
                (best, most) = (rank, fit);
            }
        }

        return best;
    }
}
