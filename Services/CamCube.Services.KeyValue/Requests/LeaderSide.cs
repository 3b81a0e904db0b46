using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>
/// Requests where they are decided: at the leader of the key's group. A change is looked at against all that is in the
/// log already, visible or not, so that it can follow at once; a read, and a change that is not made, is answered once
/// what it saw is visible and a majority has confirmed that nobody else leads. Loop only.
/// </summary>
internal sealed class LeaderSide : IGroupDuty
{
    private const byte MostPassed = 3;
    private readonly IServer _server;
    private readonly KeyValueOptions _options;
    private readonly MessageChannel<KeyValueHeader> _channel;
    private readonly KeyHasher _hasher;
    private readonly Answers _answers;
    private readonly Lister _lister;
    private readonly ValueLooks _looks;
    private readonly TimeSpan _pause;
    private readonly long _repeatNanos;
    private readonly int _mostWorked;
    private int _open;

    public LeaderSide(IServer server, KeyValueOptions options, MessageChannel<KeyValueHeader> channel, KeyHasher hasher)
    {
        (_server, _options, _channel, _hasher) = (server, options, channel, hasher);
        _answers = new Answers(server, channel);
        _pause = options.Silence / 16;
        _lister = new Lister(hasher, _answers, _pause);
        _mostWorked = (int)Math.Min(options.MaxValueLength, KeyValueChange.MostBytes);
        _looks = new ValueLooks(server, Looked);
        _repeatNanos = (long)options.Silence.TotalNanoseconds / 4;
    }

    /// <summary>The groups.</summary>
    public MemberHost Host { get; set; } = null!;

    /// <summary>A mistake that is made, for tests.</summary>
    public PlantedMistake Mistake { get; set; }

    /// <summary>Is called when this server leads another group.</summary>
    public Action? Led { get; set; }

    /// <summary>Requests that wait here.</summary>
    public int Open => _open;

    /// <summary>A request arrived. False: it is none.</summary>
    public bool OnRequest(in KeyValueHeader header, Coordinate source, ReadOnlySpan<byte> content)
    {
        if (!RequestFormat.TryRead(content, out Request request))
        {
            return false;
        }

        KeyValueHeader asked = header;
        asked.Hops += (ushort)Math.Max(0, _server.Topology.HopsTo(source));
        var waiter = new Waiter(asked, request.Id.Asker);
        bool isRight = !request.IsInPieces || PieceList.Read(request.Value) is not null;
        if (!Listing.TryRead(request, _server.Shape, out Listing? listing) || !isRight)
        {
            return false;
        }

        if (_options.CopiesOf(request.Table) == 0 || !_server.Shape.Contains(request.Id.Asker))
        {
            _answers.Say(waiter, new KeyValueAnswer(KeyValueStatus.BadKey));
            return true;
        }

        Member? member = Host.IsOpen ? Host.Find(listing?.Group ?? Evaluation.GroupOf(request, _server.Shape)) : null;
        if (member is null)
        {
            _answers.Refuse(waiter, _pause);
        }
        else if (member.Leads || request.Type == RequestType.GetAny)
        {
            Decide(member, waiter, request, listing);
        }
        else if (Host.Peers.LeaderOf(member) is { } leader && header.Passed < MostPassed)
        {
            asked.Passed++;
            _channel.Send(asked, default, content.ToArray(), leader);
        }
        else
        {
            _answers.Refuse(waiter, _pause);
        }

        return true;
    }

    /// <inheritdoc/>
    public void Leads(Member member)
    {
        Led?.Invoke();

        // What earlier leaders wrote, and is not visible yet, comes before all that is asked now.
        var work = new GroupWork();
        member.Work = work;
        for (ulong index = member.Shown + 1; index <= member.Tail.Last; index++)
        {
            if (member.Tail.Has(index) && member.Tail[index].Operation is { } operation)
            {
                work.Pending[operation.Request] = null;
                NoteLatest(member, work, operation, index);
            }
        }
    }

    /// <inheritdoc/>
    public void Resigns(Member member)
    {
        if (member.Work is not GroupWork work)
        {
            return;
        }

        member.Work = null;
        foreach (Waiter? waiter in work.Pending.Values)
        {
            if (waiter is { } waits)
            {
                _open--;
                _answers.Refuse(waits, _pause, isUncertain: true);
            }
        }

        foreach (Waiter waiter in work.Looks.Values.Concat(work.Reads.Select(static r => r.Waiter)))
        {
            _open--;
            _answers.Refuse(waiter, _pause);
        }

        foreach (WaitingChange wait in work.Waits.All)
        {
            _open--;
            _answers.Refuse(wait.Waiter, _pause);
        }
    }

    /// <inheritdoc/>
    public void Appended(Member member, ulong index)
    {
        if (member.Work is GroupWork work && member.Tail[index].Operation is { } operation)
        {
            NoteLatest(member, work, operation, index);
        }
    }

    /// <inheritdoc/>
    public void Declined(Member member) { }

    /// <inheritdoc/>
    public void Shown(Member member, TailEntry entry)
    {
        if (member.Work is not GroupWork work)
        {
            return;
        }

        if (entry.Operation is { } done)
        {
            UInt128 key = _hasher.Of(member.Id.Table, done.Key);
            if (work.Latest.TryGetValue(key, out ulong latest) && latest == entry.Index)
            {
                work.Latest.Remove(key);
            }

            if (work.Pending.Remove(done.Request, out Waiter? waiter) && waiter is { } waits)
            {
                _open--;
                _answers.Say(waits, member, done.OutcomeOf(entry.Version));
            }

            if (done.IsChange)
            {
                EndWaits(work, key, entry, done.IsDelete);
            }
        }

        if (work.Reads.Count > 0 && !work.IsAsking)
        {
            AskLater(member, work);
        }
    }

    /// <inheritdoc/>
    public void ReadNoted(Member member, ulong round)
    {
        if (member.Work is GroupWork work)
        {
            (work.IsAsking, work.RoundNanos) = (true, _server.NowNanos);
            foreach (WaitingRead read in work.Reads)
            {
                read.Round = read.Round == 0 && read.After <= member.Shown ? round : read.Round;
            }
        }
    }

    /// <inheritdoc/>
    public void ReadConfirmed(Member member, ulong round)
    {
        if (member.Work is not GroupWork work)
        {
            return;
        }

        work.IsAsking = false;
        for (int i = 0; i < work.Reads.Count; i++)
        {
            WaitingRead read = work.Reads[i];
            if (read.Round != 0 && read.Round <= round)
            {
                _open--;
                if (read.Answer is { } answer)
                {
                    _answers.Say(read.Waiter, answer);
                }
                else if (read.Listing is { } listing)
                {
                    _server.Loop.Run(() => _lister.SayAsync(Host, member, read.Waiter, listing));
                }
                else
                {
                    _answers.SayValue(member, read.Waiter, read.Key, Host);
                }
            }
        }

        work.Reads.RemoveAll(read => read.Round != 0 && read.Round <= round);
        if (work.Reads.Exists(read => read.After <= member.Shown))
        {
            AskLater(member, work);
        }
    }

    /// <inheritdoc/>
    public void Look(Member member)
    {
        if (member.Work is not GroupWork work)
        {
            return;
        }

        long now = _server.NowNanos;
        if (work.Reads.Count > 0 && (!work.IsAsking || now - work.RoundNanos > _repeatNanos))
        {
            // The question or its answers may be lost. Another round confirms those before it, too.
            Ask(member);
        }

        foreach (WaitingChange wait in work.Waits.TakeOver(now))
        {
            _open--;
            _answers.Say(wait.Waiter, new KeyValueAnswer(KeyValueStatus.Conflict, wait.Unlike));
        }
    }

    private void NoteLatest(Member member, GroupWork work, Operation operation, ulong index)
    {
        if (operation.IsChange)
        {
            work.Latest[_hasher.Of(member.Id.Table, operation.Key)] = index;
        }
    }

    private void Decide(Member member, in Waiter waiter, in Request request, Listing? listing)
    {
        UInt128 key = _hasher.Of(request.Table, request.Key);
        if (request.Type == RequestType.GetAny)
        {
            _answers.SayValue(member, waiter, key, Host);
            return;
        }

        if (_open >= _options.Requests || member.Work is not GroupWork work)
        {
            _answers.Refuse(waiter, _pause);
        }
        else if (request.IsChange)
        {
            Change(member, work, waiter, request, key, null);
        }
        else if (request.Type == RequestType.Wait)
        {
            Wait(member, work, waiter, request, key);
        }
        else
        {
            Read(member, work, WaitingRead.Of(waiter, key, listing));
        }
    }

    private void Change(
        Member member,
        GroupWork work,
        in Waiter waiter,
        in Request request,
        UInt128 key,
        FoundValue? read
    )
    {
        if (work.Pending.TryGetValue(request.Id, out Waiter? earlier))
        {
            _open += earlier is null ? 1 : 0;
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

        if (knowledge == Knowledge.Forgotten)
        {
            _answers.Say(waiter, new KeyValueAnswer(KeyValueStatus.Unknown));
            return;
        }

        Outcome? refused = Evaluation.RefusalOf(Host, member, work, request, key, out ulong after);
        Operation? made = null;
        FoundValue? found = null;
        if (refused is null && request.Type.DependsOnValue())
        {
            if (!Evaluation.TryFind(Host, member, work, key, read, out found))
            {
                _open++;
                work.Looks[request.Id] = waiter;
                _looks.Begin(Host, member, request, key);
                return;
            }

            refused = Evaluation.Work(request, found, _mostWorked, out made);
        }

        // What comes over a cable goes to a key, so copies of it may come by two ways: only here is there but one.
        bool isOnly = waiter.Header is { Attempt: 1, Passed: 0 } && request.Id.Asker == _server.Coordinate;
        if (refused is { } refusal && isOnly)
        {
            Refuse(member, work, waiter, key, refusal, after);
            return;
        }

        if (member.State.EndsInNext)
        {
            _answers.Refuse(waiter, _pause);
            return;
        }

        // Another attempt may still be on its way: that is refused for good by an entry.
        var operation = refused is { } reason
            ? Operation.Refusing(request.Id, request.Closed, request.Key, reason)
            : made ?? Evaluation.OperationOf(request);
        if (!Host.Pieces.Has(member, operation.Pieces))
        {
            _answers.Refuse(waiter, _pause);
            return;
        }

        _open++;
        work.Pending[request.Id] = waiter with { Old = Evaluation.OldFor(request.Type, found) };
        Host.Propose(member, operation);
    }

    // What a change depends on was read; who waits for it may be another attempt by now.
    private void Looked(Member member, byte[] content, UInt128 key, FoundValue? read)
    {
        if (
            !RequestFormat.TryRead(content, out Request request)
            || member.Work is not GroupWork work
            || !work.Looks.Remove(request.Id, out Waiter waiter)
        )
        {
            return;
        }

        _open--;
        if (read is null && !Evaluation.TryFind(Host, member, work, key, null, out _))
        {
            // It cannot be read here now.
            _answers.Refuse(waiter, _pause);
            return;
        }

        Change(member, work, waiter, request, key, read);
    }

    // Nobody else can do it: there is no other attempt.
    private void Refuse(Member member, GroupWork work, in Waiter waiter, UInt128 key, in Outcome refusal, ulong after)
    {
        var answer = new KeyValueAnswer(refusal.Status, refusal.Version);
        if (refusal.Status == KeyValueStatus.Full)
        {
            _answers.Say(waiter, answer);
            return;
        }

        Read(member, work, WaitingRead.Of(waiter, key, answer, after));
    }

    private void Wait(Member member, GroupWork work, in Waiter waiter, in Request request, UInt128 key)
    {
        ulong current = Evaluation.CurrentOf(Host, member, work, key, out ulong after);
        if (current == request.Condition.Version)
        {
            long nanos = (long)Math.Min(request.Number, (ulong)_options.Timeout.TotalMicroseconds) * 1_000;
            _open++;
            work.Waits.Add(key, new WaitingChange(waiter, current, member.Tail.Last, _server.NowNanos + nanos));
            return;
        }

        KeyValueStatus status = current == 0 ? KeyValueStatus.NotFound : KeyValueStatus.Done;
        Read(member, work, WaitingRead.Of(waiter, key, new KeyValueAnswer(status, current), after));
    }

    private void Read(Member member, GroupWork work, WaitingRead read)
    {
        _open++;
        work.Reads.Add(read);
        if (!work.IsAsking)
        {
            AskLater(member, work);
        }
    }

    // After this callback: so all reads of a step are one round.
    private void AskLater(Member member, GroupWork work)
    {
        work.IsAsking = true;
        _server.Loop.Post(_ => Ask(member), null);
    }

    private void Ask(Member member)
    {
        if (member.Work is GroupWork work)
        {
            // Until it is noted: it may be declined, as by a leader that has just become one.
            work.IsAsking = false;
            if (member.Shown < member.State.Applied)
            {
                // What is applied, and not visible yet, may have been answered by another leader.
                return;
            }

            if (Mistake == PlantedMistake.ReadsUnconfirmed)
            {
                ReadNoted(member, 1);
                ReadConfirmed(member, 1);
                return;
            }

            Host.Step(member, GroupEvent.Of(EventKind.ReadDue));
        }
    }

    private void EndWaits(GroupWork work, UInt128 key, TailEntry entry, bool isDeleted)
    {
        KeyValueAnswer answer = isDeleted
            ? new KeyValueAnswer(KeyValueStatus.NotFound)
            : new KeyValueAnswer(KeyValueStatus.Done, entry.Version);
        foreach (WaitingChange wait in work.Waits.TakeBefore(key, entry.Index))
        {
            _open--;
            _answers.Say(wait.Waiter, answer);
        }
    }
}
