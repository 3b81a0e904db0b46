using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.CubeWide;

/// <summary>Asks many servers the same and waits for all of them, with retries: flush_all, statistics. Loop
/// only.</summary>
internal sealed class CubeAsker(
    IServer server,
    CacheOptions options,
    MessageChannel<CacheHeader> channel,
    FlushMoment flush
)
{
    // Questions sent in one go: fewer than a queue holds.
    private const int Burst = 128;
    private static readonly TimeSpan BurstPause = TimeSpan.FromMilliseconds(1);
    private readonly ReplyTable<Coordinate> _questions = new(server, server.Shape.Count);
    private readonly List<Round> _rounds = [];

    /// <summary>Asks these servers until all that can be reached have answered. False: some did not, though they can be
    /// reached.</summary>
    /// <param name="kind">What to ask; a flush carries the present <see cref="FlushMoment"/>. </param>
    /// <param name="targets">Whom. </param>
    /// <param name="attempts">How often.</param>
    /// <param name="sums">Where the counters of the answers are added, if any.</param>
    /// <param name="timeout">Longest wait for the answers of one attempt; by default the cache's time-out.</param>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<(bool All, bool HasKnowing, int Answered)> AskAsync(
        PacketKind kind,
        IReadOnlyList<Coordinate> targets,
        int attempts,
        long[]? sums = null,
        TimeSpan? timeout = null
    )
    {
        if (!_questions.TryAsk(out Replies<Coordinate>? asked))
        {
            return (false, false, 0);
        }

        using Replies<Coordinate> question = asked;
        var round = new Round(question.Id, server.Shape.Count) { Sums = sums };
        _rounds.Add(round);
        for (int attempt = 0; attempt < attempts && !server.Stopping.IsCancellationRequested; attempt++)
        {
            int sent = 0;
            foreach (Coordinate target in targets)
            {
                if (!IsOpen(round, target))
                {
                    continue;
                }

                Send(kind, question.Id, target);
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

            await question.WaitAsync(question.Count + open, timeout ?? options.Timeout);
        }

        _rounds.Remove(round);
        return (CountOpen(round, targets) == 0, round.HasKnowing, round.Answered);
    }

    /// <summary>A server answered.</summary>
    public void OnAnswer(in IncomingMessage<CacheHeader> message)
    {
        int rank = server.Shape.RankOf(message.Source);
        foreach (Round round in _rounds)
        {
            if (round.Question != message.Header.Question || round.HasAnswered(rank))
            {
                continue;
            }

            round.NoteAnswered(rank);
            round.HasKnowing |= message.Header.Code != 0;
            if (round.Sums is { } sums)
            {
                ReadOnlySpan<byte> content = message.Content;
                int n = Math.Min(sums.Length, content.Length / sizeof(long));
                for (int i = 0; i < n; i++)
                {
                    sums[i] += MemoryMarshal.Read<long>(content[(i * sizeof(long))..]);
                }
            }

            _questions.TryAdd(round.Question, message.Source);
            return;
        }
    }

    private bool IsOpen(Round round, Coordinate target) =>
        !round.HasAnswered(server.Shape.RankOf(target)) && server.Topology.IsReachable(target);

    private int CountOpen(Round round, IReadOnlyList<Coordinate> targets)
    {
        int n = 0;
        foreach (Coordinate target in targets)
        {
            n += IsOpen(round, target) ? 1 : 0;
        }

        return n;
    }

    private void Send(PacketKind kind, ulong question, Coordinate target)
    {
        var header = new CacheHeader { Kind = (byte)kind, Question = question };
        if (kind != PacketKind.Flush)
        {
            channel.Send(header, default, default, target);
            return;
        }

        var head = new FlushHead { Stamp = flush.Stamp, DelayNanos = flush.DelayNanos };
        channel.Send(header, MemoryMarshal.AsBytes(new ReadOnlySpan<FlushHead>(in head)), default, target);
    }
}
