using CamCube.Experiments.Cables;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Moves;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Cables;

/// <summary>LibRIPC §5.4.2 (L5.4.2 of the design): endpoints that move, and that are opened elsewhere when their server
/// is killed, while a crowd sends to them.</summary>
internal static class MovesVerdict
{
    // Neighbours look this often within the time, so they notice this much later at the latest.
    private const double LatestDetection = 1.125;

    /// <summary>Shows and checks what was found.</summary>
    /// <param name="run">The run.</param>
    /// <param name="result">What was found.</param>
    /// <param name="detection">Silence after which a neighbour is suspected.</param>
    /// <param name="settle">How long a root waits for owners when the view has changed.</param>
    /// <param name="ask">Pause between questions for a name, and for a place.</param>
    public static void Check(FigureRun run, MovesResult result, TimeSpan detection, TimeSpan settle, TimeSpan ask)
    {
        MoveRound[] moves = [.. result.Rounds.Where(round => !round.IsKill)],
            kills = [.. result.Rounds.Where(round => round.IsKill)];
        double send = Medians.Of(result.SendMillis),
            answered = Medians.Of(result.ResolveMillis),
            resolve = settle.TotalMilliseconds + (2 * ask.TotalMilliseconds) + answered,
            latest = detection.TotalMilliseconds * LatestDetection,
            bound = latest + resolve + send;
        Draw(run, kills, bound);
        Rows(run, "moved", moves);
        Rows(run, "killed", kills);
        run.Show("L5.4.2: one resolve where nothing changes, median", answered, "ms");
        run.Show("L5.4.2: one send, median", send, "ms");
        run.CheckTimed(
            "L5.4.2: killed, until the last server knows, longest",
            kills.Max(round => round.NoticedMillis),
            Limit.AtMost(latest),
            "ms"
        );
        run.CheckTimed(
            "L5.4.2: killed, until the new owner's first message, longest",
            kills.Max(round => round.GapMillis),
            Limit.AtMost(bound),
            "ms"
        );
        run.CheckTimed(
            "L5.4.2: of that after the last server knows, longest",
            kills.Max(round => round.GapMillis - round.NoticedMillis),
            Limit.AtMost(resolve + send),
            "ms"
        );
        run.CheckTimed(
            "L5.4.2: moved, until the new owner's first message, longest",
            moves.Max(round => round.GapMillis),
            Limit.AtMost(resolve + send),
            "ms"
        );
        run.Show("L5.4.2: moved, median", Medians.Of(moves.Select(round => round.GapMillis)), "ms");
        run.Check("L5.4.2: delivered to another endpoint", result.Wrong, Limit.Exactly(0), "messages");
        run.Check("L5.4.2: delivered twice", result.Doubled, Limit.Exactly(0), "messages");
        run.CheckTimed("L5.4.2: moved, lost", moves.Sum(round => round.Lost), Limit.Exactly(0), "messages");
        run.Show(
            "L5.4.2: killed, lost before the new owner's first message",
            kills.Sum(round => round.Lost - round.LostLater),
            "messages"
        );
        run.CheckTimed(
            "L5.4.2: killed, lost after it",
            kills.Sum(round => round.LostLater),
            Limit.Exactly(0),
            "messages"
        );
        run.Note(
            $"L5.4.2: {result.Senders} endpoints send to one name, of which some are slow and one is hostile (bursts, "
                + "bodies that are none, names that nobody has, more than fits); "
                + $"{result.Received:N0} messages came to all endpoints, {result.Malformed:N0} of them malformed. "
                + $"{moves.Length} moves, {kills.Length} kills; detection within {detection.TotalMilliseconds:N0} ms. "
                + $"A resolve of a name whose owner has just died may take {settle.TotalMilliseconds:N0} ms, for "
                + $"which its root waits for owners, and two pauses of {ask.TotalMilliseconds:N0} ms between "
                + $"questions. Clocks of the servers were read to {result.ClockMillis:F1} ms."
        );
    }

    private static void Draw(FigureRun run, MoveRound[] kills, double bound)
    {
        Plot plot = run.Add(
            new Plot(
                "Section 5.4.2: an owner is killed, another goes on",
                new PlotAxis("kill") { Least = 0 },
                new PlotAxis("since the kill", "ms") { Least = 0 }
            )
        );
        Series gap = plot.Add("first message at the new owner", SeriesKind.Marks),
            noticed = plot.Add("last server knows", SeriesKind.Marks),
            most = plot.Add("detection, resolve, send", SeriesKind.Line, SeriesRole.Expected);
        for (int i = 0; i < kills.Length; i++)
        {
            gap.Add(i + 1, kills[i].GapMillis);
            noticed.Add(i + 1, kills[i].NoticedMillis);
            most.Add(i + 1, bound);
        }
    }

    private static void Rows(FigureRun run, string series, MoveRound[] rounds)
    {
        for (int i = 0; i < rounds.Length; i++)
        {
            MoveRound round = rounds[i];
            Add("until the new owner's first message", round.GapMillis, "ms");
            Add("sent", round.Sent, "messages");
            Add("lost", round.Lost, "messages");
            Add("refused", round.Refused, "messages");
            if (round.IsKill)
            {
                Add("until the last server knows", round.NoticedMillis, "ms");
                Add("lost after the first message", round.LostLater, "messages");
            }

            void Add(string what, double value, string unit) =>
                ValueRows.Add(run, "L5.4.2", series, $"{i + 1}", what, value, unit);
        }
    }
}
