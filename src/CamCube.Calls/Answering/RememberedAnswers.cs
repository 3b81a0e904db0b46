namespace CamCube.Calls;

/// <summary>
/// The answers a root gave to changes, so that a second attempt gets the answer again and not the change. Bounded by
/// number and age; of what was forgotten there are marks: numbers up to them are refused, never done again. Loop only.
/// </summary>
/// <typeparam name="TReply">An answer.</typeparam>
/// <param name="most">Most answers that are kept.</param>
/// <param name="ageNanos">How long: longer than any call goes on (<see cref="CallLimits.RememberNanos"/>).
/// </param>
public sealed class RememberedAnswers<TReply>(int most, long ageNanos) : IKnownRequests<TReply>
{
    private readonly Dictionary<RequestId, TReply> _answers = [];
    private readonly Queue<(RequestId Id, long Nanos)> _inOrder = new();
    private readonly AskerMarks _marks = new();

    /// <summary>Answers kept.</summary>
    public int Count => _answers.Count;

    /// <inheritdoc/>
    public Knowledge Find(in RequestId id, out TReply? reply) =>
        _answers.TryGetValue(id, out reply) ? Knowledge.Answered
        : _marks.Cover(id) ? Knowledge.Forgotten
        : Knowledge.New;

    /// <summary>A change was done.</summary>
    public void Add(in RequestId id, in TReply reply, long nowNanos)
    {
        Trim(nowNanos);
        if (!_answers.TryAdd(id, reply))
        {
            return;
        }

        _inOrder.Enqueue((id, nowNanos));
        if (_inOrder.Count > most)
        {
            ForgetOldest();
        }
    }

    /// <summary>A request that was answered was done anew: what it says from now on.</summary>
    public void Replace(in RequestId id, in TReply reply) => _answers[id] = reply;

    /// <summary>Forgets what is too old. Returns when to look again, long.MaxValue if nothing is kept.</summary>
    public long Trim(long nowNanos)
    {
        while (_inOrder.TryPeek(out (RequestId Id, long Nanos) oldest))
        {
            if (oldest.Nanos + ageNanos > nowNanos)
            {
                return oldest.Nanos + ageNanos;
            }

            ForgetOldest();
        }

        return long.MaxValue;
    }

    private void ForgetOldest()
    {
        RequestId id = _inOrder.Dequeue().Id;
        _answers.Remove(id);
        _marks.Raise(id);
    }
}
