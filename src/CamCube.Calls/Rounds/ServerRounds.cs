using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace CamCube.Calls;

/// <summary>Asks many servers the same and waits for all of them, with retries. Whoever cannot be reached is not waited
/// for. Any number of rounds at once. Loop only.</summary>
/// <typeparam name="TRound">The service's rounds.</typeparam>
/// <param name="server">The service's server.</param>
public sealed class ServerRounds<TRound>(IServer server)
    where TRound : Round
{
    // Questions sent in one go: fewer than a queue holds.
    private const int Burst = 128;
    private static readonly TimeSpan BurstPause = TimeSpan.FromMilliseconds(1);
    private readonly ReplyTable<Coordinate> _questions = new(server, server.Shape.Count);
    private readonly List<TRound> _rounds = [];

    /// <summary>Asks these servers until all that can be reached have answered. False: some did not, though they can be
    /// reached; or the service stops, or nobody wants to know any more.</summary>
    /// <param name="round">What is asked, and where the answers go.</param>
    /// <param name="targets">Whom: servers of the cube, each once.</param>
    /// <param name="attempts">How often a server is asked at most.</param>
    /// <param name="timeout">Longest wait for the answers of one attempt.</param>
    /// <param name="cancel">Ends, on the loop, when nobody wants to know any more.</param>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<bool> AskAsync(
        TRound round,
        IReadOnlyList<Coordinate> targets,
        int attempts,
        TimeSpan timeout,
        CancellationToken cancel = default
    )
    {
        ArgumentNullException.ThrowIfNull(round);
        ArgumentNullException.ThrowIfNull(targets);
        if (!_questions.TryAsk(out Replies<Coordinate>? asked))
        {
            return false;
        }

        using Replies<Coordinate> question = asked;
        round.Begin(question.Id, server.Shape, targets);
        _rounds.Add(round);
        for (int attempt = 0; attempt < attempts && !IsOver(cancel); attempt++)
        {
            int sent = 0;
            foreach (Coordinate target in targets)
            {
                if (!IsOpen(round, target))
                {
                    continue;
                }

                round.Ask(target);
                if (++sent % Burst == 0)
                {
                    await server.DelayAsync(BurstPause);
                }
            }

            int open = CountOpen(round, targets);
            if (open == 0)
            {
                break;
            }

            await question.WaitAsync(question.Count + open, timeout, cancel);
        }

        _rounds.Remove(round);
        return CountOpen(round, targets) == 0;
    }

    /// <summary>
    /// An answer arrived. False: no round waits for one of this server, because it is late, comes twice, or was never
    /// asked for. True: it counts as answered, and what it says belongs into this round.
    /// </summary>
    /// <param name="question">The number that it repeats.</param>
    /// <param name="source">Who answered.</param>
    /// <param name="round">The round.</param>
    public bool TryAnswer(ulong question, Coordinate source, [NotNullWhen(true)] out TRound? round)
    {
        round = null;
        if (!server.Shape.Contains(source))
        {
            return false;
        }

        int rank = server.Shape.RankOf(source);
        foreach (TRound other in _rounds)
        {
            if (other.Question == question && other.IsOpen(rank))
            {
                round = other;
                round.NoteAnswered(rank);
                _questions.TryAdd(question, source);
                return true;
            }
        }

        return false;
    }

    private bool IsOver(CancellationToken cancel) =>
        server.Stopping.IsCancellationRequested || cancel.IsCancellationRequested;

    private bool IsOpen(TRound round, Coordinate target) =>
        round.IsOpen(server.Shape.RankOf(target)) && server.Topology.IsReachable(target);

    private int CountOpen(TRound round, IReadOnlyList<Coordinate> targets)
    {
        int n = 0;
        foreach (Coordinate target in targets)
        {
            n += IsOpen(round, target) ? 1 : 0;
        }

        return n;
    }
}
