using CamCube.Calls;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>
/// Changes where they are decided: each is looked at against all that is in the log of its group already, visible or
/// not, so that it can follow at once, and its result is proposed. Loop only.
/// </summary>
internal sealed class LeaderChanges
{
    private readonly IServer _server;
    private readonly KeyHasher _hasher;
    private readonly Answerer _answers;
    private readonly LeaderReads _reads;
    private readonly ValueLooks _looks;
    private readonly BatchEvaluation _batches;
    private readonly TimeSpan _pause;
    private readonly TimeSpan _timeout;
    private readonly TimeSpan _silence;
    private readonly int _mostWorked;

    public LeaderChanges(
        IServer server,
        KeyValueOptions options,
        KeyHasher hasher,
        Answerer answers,
        LeaderReads reads,
        TimeSpan pause
    )
    {
        (_server, _hasher, _answers, _reads, _pause) = (server, hasher, answers, reads, pause);
        (_timeout, _silence) = (options.Timeout, options.Silence);
        _mostWorked = (int)Math.Min(options.MaxValueLength, KeyValueChange.MostBytes);
        _looks = new ValueLooks(server, Looked);
        _batches = new BatchEvaluation(hasher, _mostWorked, options.BatchBytes);
    }

    /// <summary>The groups.</summary>
    public MemberHost Host { get; set; } = null!;

    /// <summary>Those that wait.</summary>
    public int Open { get; private set; }

    /// <summary>Decides one.</summary>
    public void Decide(
        Member member,
        GroupWork work,
        in Waiter waiter,
        in RequestContent request,
        UInt128 key,
        Dictionary<UInt128, FoundValue?>? read
    )
    {
        if (work.Pending.TryGetValue(request.Id, out Waiter? earlier))
        {
            Open += earlier is null ? 1 : 0;
            work.Pending[request.Id] = waiter with { Old = earlier?.Old };
            return;
        }

        if (work.Looks.ContainsKey(request.Id))
        {
            work.Looks[request.Id] = waiter;
            return;
        }

        Knowledge knowledge = member.Requests.Find(request.Id, out Outcome done);
        if (knowledge == Knowledge.Answered)
        {
            _answers.Say(waiter, member, done);
            return;
        }

        if (knowledge == Knowledge.Forgotten && member.Requests.RunBefore(request.Id) is > 0 and var run)
        {
            // Its asker has begun anew with a clock that is behind, and takes itself for earlier than it is.
            _answers.Refuse(waiter, TimeSpan.Zero, run: run);
            return;
        }

        if (knowledge == Knowledge.Forgotten || IsYoung(member, request, waiter.Header.EarlierTenths))
        {
            _answers.Say(waiter, new KeyValueAnswer(KeyValueStatus.Unknown));
            return;
        }

        if (member.AloneNanos != 0)
        {
            // Once it is in the log nobody can say that it will not be done until some are back, and they may stay
            // away.
            _answers.Refuse(waiter, _pause);
            return;
        }

        WorkedChange worked = request.Steps is null
            ? Work(member, work, request, key, read)
            : _batches.Work(Host, member, work, request, read);
        if (worked.Refused is null && Host.Index.IsShort && !request.Type.Deletes())
        {
            // No memory for another key now.
            _answers.Refuse(waiter, _pause);
            return;
        }

        if (worked.Lacks is { } lacks)
        {
            Open++;
            work.Looks[request.Id] = waiter;
            _looks.Begin(Host, member, request, lacks);
            return;
        }

        // What comes over a cable goes to a key, so copies of it may come by two ways: only here is there but one.
        bool isOnly = waiter.Header is { Attempt: 1, Passed: 0 } && request.Id.Asker == _server.Coordinate;
        if (worked.Refused is { } refusal && isOnly)
        {
            Refuse(member, work, waiter, key, refusal, worked.After);
            return;
        }

        if (member.State.EndsInNext)
        {
            _answers.Refuse(waiter, _pause);
            return;
        }

        // Another attempt may still be on its way: that is refused for good by an entry.
        Operation operation = worked.Refused is { } reason
            ? Operation.Refusing(request.Id, request.Closed, request.Key, reason)
            : worked.Made!;
        if (!Host.Pieces.Has(member, operation.Pieces))
        {
            _answers.Refuse(waiter, _pause);
            return;
        }

        Open++;
        work.Pending[request.Id] = waiter with { Old = Evaluation.OldFor(request.Type, worked.Found) };
        Host.Propose(member, operation);
    }

    // An attempt of the same request may have been done before the group began anew in memory, or went on by hand, and
    // who knew is gone. Not if the first was sent when it had begun: who says until when this attempt is waited for
    // leaves as much time for its way.
    private bool IsYoung(Member member, in RequestContent request, byte earlierTenths)
    {
        bool hasLost = member.Store.IsInMemory || member.State.Epoch?.Generation > 0;
        if (!hasLost || earlierTenths == 0)
        {
            return false;
        }

        TimeSpan longest = _timeout;
        if (request.IsInPieces && PieceList.Read(request.Value) is { } list)
        {
            longest += Asking.LongerFor(list);
        }

        if (earlierTenths is >= KeyValueHeader.LeastTenths and < byte.MaxValue)
        {
            TimeSpan earlier = TimeSpan.FromMilliseconds(earlierTenths * 100) + _silence;
            longest = earlier < longest ? earlier : longest;
        }

        return _server.NowNanos - member.BegunNanos < (long)longest.TotalNanoseconds;
    }

    /// <summary>This server leads the group: what earlier leaders wrote, and is not visible yet, comes before all that
    /// is asked now.</summary>
    public void Leads(Member member, GroupWork work)
    {
        for (ulong index = member.Shown + 1; index <= member.Tail.Last; index++)
        {
            if (member.Tail.Has(index) && member.Tail[index].Operation is { } operation)
            {
                work.Pending[operation.Request] = null;
                NoteLatest(member, work, operation, index);
            }
        }
    }

    /// <summary>It leads it no more.</summary>
    public void Refuse(GroupWork work)
    {
        foreach (Waiter? waiter in work.Pending.Values)
        {
            if (waiter is { } waits)
            {
                Open--;
                _answers.Refuse(waits, _pause, isUncertain: true);
            }
        }

        foreach (Waiter waiter in work.Looks.Values)
        {
            Open--;
            _answers.Refuse(waiter, _pause);
        }
    }

    /// <summary>Too few others are there: whether what is in the log is done is decided when they are back, and nobody
    /// waits here for that.</summary>
    public void Leave(GroupWork work)
    {
        foreach ((RequestId request, Waiter? waiter) in work.Pending)
        {
            if (waiter is { } waits)
            {
                Open--;
                work.Pending[request] = null;
                _answers.Refuse(waits, _pause, isUncertain: true);
            }
        }
    }

    /// <summary>A change lies in the log.</summary>
    public void NoteLatest(Member member, GroupWork work, Operation operation, ulong index)
    {
        if (operation.Parts is not { } parts)
        {
            NoteOne(member, work, operation, index);
            return;
        }

        foreach (Operation part in parts)
        {
            NoteOne(member, work, part, index);
        }
    }

    /// <summary>A change is visible: its key has no later one to come.</summary>
    public static void Shown(GroupWork work, UInt128 key, ulong index)
    {
        if (work.Latest.TryGetValue(key, out (ulong Index, Operation) latest) && latest.Index == index)
        {
            work.Latest.Remove(key);
        }
    }

    /// <summary>A request is done.</summary>
    public void Shown(Member member, GroupWork work, TailEntry entry, Operation done)
    {
        if (work.Pending.Remove(done.Request, out Waiter? waiter) && waiter is { } waits)
        {
            Open--;
            _answers.Say(waits, member, done.OutcomeOf(entry.Version));
        }
    }

    // What a change depends on was read; who waits for it may be another attempt by now.
    private void Looked(Member member, byte[] content, Dictionary<UInt128, FoundValue?> read)
    {
        if (
            !RequestFormat.TryRead(content, out RequestContent request)
            || member.Work is not GroupWork work
            || !work.Looks.Remove(request.Id, out Waiter waiter)
        )
        {
            return;
        }

        Open--;
        foreach ((UInt128 key, FoundValue? found) in read)
        {
            if (found is null && !Evaluation.TryFind(Host, member, work, key, null, out _))
            {
                // It cannot be read here now.
                _answers.Refuse(waiter, _pause);
                return;
            }
        }

        Decide(member, work, waiter, request, _hasher.Of(request.Table, request.Key), read);
    }

    private void NoteOne(Member member, GroupWork work, Operation change, ulong index)
    {
        if (change.IsChange)
        {
            work.Latest[_hasher.Of(member.Id.Table, change.Key)] = (index, change);
        }
    }

    private WorkedChange Work(
        Member member,
        GroupWork work,
        in RequestContent request,
        UInt128 key,
        Dictionary<UInt128, FoundValue?>? read
    )
    {
        if (Evaluation.RefusalOf(Host, member, work, request, key, out ulong after) is { } refused)
        {
            return new WorkedChange { Refused = refused, After = after };
        }

        if (!request.Type.DependsOnValue())
        {
            return new WorkedChange { Made = Evaluation.OperationOf(request) };
        }

        FoundValue? known = read?.GetValueOrDefault(key);
        if (!Evaluation.TryFind(Host, member, work, key, known, out FoundValue? found))
        {
            return new WorkedChange { Lacks = [key] };
        }

        Outcome? reason = Evaluation.Work(request, found, _mostWorked, out Operation? made);
        return new WorkedChange
        {
            Refused = reason,
            After = after,
            Made = made,
            Found = found,
        };
    }

    // Nobody else can do it: there is no other attempt.
    private void Refuse(Member member, GroupWork work, in Waiter waiter, UInt128 key, in Outcome refusal, ulong after)
    {
        var answer = new KeyValueAnswer(refusal.Status, refusal.Version, refusal.Number);
        if (refusal.Status == KeyValueStatus.Full)
        {
            _answers.Say(waiter, answer);
            return;
        }

        _reads.Read(member, work, WaitingRead.Of(waiter, key, answer, after));
    }
}
