using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace CamCube;

/// <summary>
/// Open questions of one service on one server and the replies to them. Ids name slot, generation and incarnation and
/// are never 0, so a late reply to an earlier question, or to an earlier run of the server, matches nothing. Everything
/// is pooled. Loop only.
/// </summary>
/// <typeparam name="T">A reply; it may own packets, which <c>discard</c> frees when nobody takes them.</typeparam>
public sealed class ReplyTable<T>
{
    /// <summary>Most questions that are open at once.</summary>
    public const int MostOpen = 65_536;

    // No place is used again before so many others were: its 24 bits of generation then come round after a thousand
    // million questions.
    private const int LeastPlaces = 64;
    private readonly IServer _server;
    private readonly int _maxReplies;
    private readonly ulong _incarnation;
    private readonly List<Replies<T>> _slots = [];
    private readonly Queue<Replies<T>> _free = new();

    /// <summary>A table.</summary>
    /// <param name="server">The service's server.</param>
    /// <param name="maxReplies">Most replies that one question keeps.</param>
    /// <param name="discard">Frees what an unwanted reply owns.</param>
    public ReplyTable(IServer server, int maxReplies = 1, Action<T>? discard = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxReplies, 1);
        (_server, _maxReplies, Discard) = (server, maxReplies, discard);

        // 24 bits of the start time in microseconds are 16 seconds; multiplied out, near starts differ in their high
        // bits too.
        _incarnation = (server.Incarnation * 0x9E3779B97F4A7C15UL) >> 40 << 40;
    }

    /// <summary>Questions open now.</summary>
    public int Open => _slots.Count - _free.Count;

    internal Action<T>? Discard { get; }

    /// <summary>Opens a question; dispose it to end it. For services that bound the number of their questions
    /// themselves.</summary>
    /// <exception cref="InvalidOperationException"><see cref="MostOpen"/> are open.</exception>
    public Replies<T> Ask() =>
        TryAsk(out Replies<T>? question)
            ? question
            : throw new InvalidOperationException($"{MostOpen} questions are open; TryAsk says so instead.");

    /// <summary>Opens a question; dispose it to end it. False: <see cref="MostOpen"/> are open, which is
    /// back-pressure.</summary>
    public bool TryAsk([NotNullWhen(true)] out Replies<T>? question)
    {
        if (_slots.Count < LeastPlaces || _free.Count == 0)
        {
            if (_slots.Count == MostOpen)
            {
                question = null;
                return false;
            }

            question = new Replies<T>(this, _server, _incarnation, (uint)_slots.Count, _maxReplies);
            _slots.Add(question);
        }
        else
        {
            question = _free.Dequeue();
        }

        question.Reopen();
        return true;
    }

    /// <summary>Asks until a reply has come, or nobody has answered often enough. Who is asked may hear a question more
    /// than once.</summary>
    /// <param name="send">Sends the question with this number. It may be lost, or not be sent: then it is sent again
    /// after the time-out.</param>
    /// <param name="timeout">How long one attempt waits.</param>
    /// <param name="attempts">Most attempts, at least 1.</param>
    /// <param name="cancel">Ends, on the loop, when nobody wants it any more: as if the service stopped.</param>
    /// <returns>The first reply: the caller's, with what it owns.</returns>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<Reply<T>> AskAsync(
        Action<ulong> send,
        TimeSpan timeout,
        int attempts = 3,
        CancellationToken cancel = default
    )
    {
        ArgumentNullException.ThrowIfNull(send);
        ArgumentOutOfRangeException.ThrowIfLessThan(attempts, 1);
        if (!TryAsk(out Replies<T>? asked))
        {
            return new Reply<T>(WaitResult.TimedOut, default, 0);
        }

        using Replies<T> question = asked;
        for (int attempt = 1; ; attempt++)
        {
            send(question.Id);
            WaitResult result = await question.WaitAsync(1, timeout, cancel);
            if (result == WaitResult.Enough)
            {
                return new Reply<T>(result, question.Take(0), attempt);
            }

            if (result == WaitResult.Stopped || attempt == attempts)
            {
                return new Reply<T>(result, default, attempt);
            }
        }
    }

    /// <summary>A reply arrived. False: it belongs to no open question (or the question has as many as it keeps); it
    /// was discarded.</summary>
    public bool TryAdd(ulong id, T reply)
    {
        if (TryGet(id, out Replies<T>? replies) && replies.Add(reply))
        {
            return true;
        }

        Discard?.Invoke(reply);
        return false;
    }

    /// <summary>Whether a reply with this id would still match an open question.</summary>
    public bool IsOpen(ulong id) => TryGet(id, out _);

    internal void Close(Replies<T> replies) => _free.Enqueue(replies);

    private bool TryGet(ulong id, [NotNullWhen(true)] out Replies<T>? replies)
    {
        uint slot = (uint)id & 0xFFFF;
        replies = slot < (uint)_slots.Count ? _slots[(int)slot] : null;
        if (replies is not null && replies.Id == id && replies.IsOpen)
        {
            return true;
        }

        replies = null;
        return false;
    }
}
