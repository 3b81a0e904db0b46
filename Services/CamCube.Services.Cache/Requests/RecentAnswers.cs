namespace CamCube.Services.Cache.Requests;

/// <summary>
/// The answers a root gave to changes, so that a second attempt gets the answer again and not the change. Bounded by
/// number and age; what was forgotten is known per asking server as a mark: numbers up to it are refused, never done
/// again. Loop only.
/// </summary>
internal sealed class RecentAnswers(int most, long ageNanos)
{
    private readonly Dictionary<RequestId, CacheReply> _answers = [];
    private readonly Queue<(RequestId Id, long Nanos)> _inOrder = new();
    private readonly Dictionary<Coordinate, Mark> _marks = [];

    /// <summary>What is known of a request.</summary>
    public enum Knowledge : byte
    {
        /// <summary>It was not done here.</summary>
        New = 0,

        /// <summary>It was done, and this was the answer.</summary>
        Answered = 1,

        /// <summary>It is older than what is remembered, or of an earlier run of its server.</summary>
        Forgotten = 2,
    }

    /// <summary>Answers kept.</summary>
    public int Count => _answers.Count;

    /// <summary>What is known of this request.</summary>
    public Knowledge Find(RequestId id, out CacheReply reply)
    {
        if (_answers.TryGetValue(id, out reply))
        {
            return Knowledge.Answered;
        }

        bool isOld =
            _marks.TryGetValue(id.Asker, out Mark mark)
            && (id.Run < mark.Run || (id.Run == mark.Run && id.Number <= mark.Number));
        return isOld ? Knowledge.Forgotten : Knowledge.New;
    }

    /// <summary>A change was done.</summary>
    public void Add(RequestId id, CacheReply reply, long nowNanos)
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

    /// <summary>A read that was answered was done anew: what it says from now on.</summary>
    public void Replace(RequestId id, CacheReply reply) => _answers[id] = reply;

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
        bool marked = _marks.TryGetValue(id.Asker, out Mark mark);
        if (!marked || id.Run > mark.Run || (id.Run == mark.Run && id.Number > mark.Number))
        {
            _marks[id.Asker] = new Mark(id.Run, id.Number);
        }
    }

    private readonly record struct Mark(ulong Run, ulong Number);
}
