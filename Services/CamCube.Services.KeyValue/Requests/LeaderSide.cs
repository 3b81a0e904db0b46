using CamCube.Messaging;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>
/// Requests where they are decided: at the leader of the key's group. Takes what arrives, and what becomes of the
/// group, to those that decide changes, reads and waits. Loop only.
/// </summary>
internal sealed class LeaderSide : IGroupDuty
{
    private const byte MostPassed = 3;
    private readonly IServer _server;
    private readonly KeyValueOptions _options;
    private readonly MessageChannel<KeyValueHeader> _channel;
    private readonly KeyHasher _hasher;
    private readonly Answerer _answers;
    private readonly LeaderReads _reads;
    private readonly LeaderWaits _waits;
    private readonly LeaderChanges _changes;
    private readonly LostGroups _lost;
    private readonly TimeSpan _pause;

    public LeaderSide(IServer server, KeyValueOptions options, MessageChannel<KeyValueHeader> channel, KeyHasher hasher)
    {
        (_server, _options, _channel, _hasher) = (server, options, channel, hasher);
        _answers = new Answerer(server, channel);
        _lost = new LostGroups(server, options);
        _pause = options.Silence / 16;
        long repeatNanos = (long)options.Silence.TotalNanoseconds / 4;
        _reads = new LeaderReads(server, _answers, new Lister(hasher, _answers, _pause), repeatNanos);
        _waits = new LeaderWaits(server, _answers, _reads, options.Timeout);
        _changes = new LeaderChanges(server, options, hasher, _answers, _reads, _pause);
    }

    /// <summary>The groups.</summary>
    public MemberHost Host
    {
        get => _reads.Host;
        set => _reads.Host = _waits.Host = _changes.Host = value;
    }

    /// <summary>A mistake that is made, for tests.</summary>
    public PlantedMistake Mistake
    {
        get => _reads.Mistake;
        set => _reads.Mistake = value;
    }

    /// <summary>Is called when this server leads another group.</summary>
    public Action? Led { get; set; }

    /// <summary>Requests that wait here.</summary>
    public int Open => _reads.Open + _waits.Open + _changes.Open;

    /// <summary>A request arrived. False: it is none.</summary>
    public bool OnRequest(in KeyValueHeader header, Coordinate source, ReadOnlySpan<byte> content)
    {
        if (!RequestFormat.TryRead(content, out RequestContent request))
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

        Host.Pieces.Pace.Served();
        if (_options.CopiesOf(request.Table) == 0 || !_server.Shape.Contains(request.Id.Asker))
        {
            _answers.Say(waiter, new KeyValueAnswer(KeyValueStatus.BadKey));
            return true;
        }

        GroupId group = listing?.Group ?? Evaluation.GroupOf(request, _server.Shape);
        Member? member = Host.IsOpen ? Host.Find(group) : null;
        if (Host.Failure.Length > 0 && header.Passed < MostPassed && NextFor(header.Key) is { } next)
        {
            // It keeps no part of the store: another has its part.
            asked.Passed++;
            _channel.Send(asked, default, content.ToArray(), next);
        }
        else if (member is null ? _lost.IsLost(group) : request.Type != RequestType.GetAny && IsAlone(member))
        {
            // Nothing comes of it before some are back, so its asker need not wait for that; and it is in no log.
            _answers.RefuseAlone(waiter, _pause);
        }
        else if (member is null)
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

    /// <summary>The view is another one.</summary>
    public void OnTopologyChanged() => _lost.OnTopologyChanged();

    // For so long that they are gone, and not only late.
    private bool IsAlone(Member member) =>
        member.AloneNanos != 0 && _server.NowNanos - member.AloneNanos >= (long)_options.SlowAfter.TotalNanoseconds;

    // The server behind this one in the key's order.
    private Coordinate? NextFor(Key key)
    {
        Span<Coordinate> live = stackalloc Coordinate[16];
        live = live[.._server.Topology.GetServersForKey(key, live)];
        int place = live.IndexOf(_server.Coordinate);
        return place + 1 < live.Length ? live[place + 1] : null;
    }

    /// <inheritdoc/>
    public void Leads(Member member)
    {
        Led?.Invoke();

        var work = new GroupWork();
        member.Work = work;
        _changes.Leads(member, work);
    }

    /// <inheritdoc/>
    public void Resigns(Member member)
    {
        if (member.Work is not GroupWork work)
        {
            return;
        }

        member.Work = null;
        _changes.Refuse(work);
        _reads.Refuse(work, _pause);
        _waits.Refuse(work, _pause);
    }

    /// <inheritdoc/>
    public void Appended(Member member, ulong index)
    {
        if (member.Work is GroupWork work && member.Tail[index].Operation is { } operation)
        {
            _changes.NoteLatest(member, work, operation, index);
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
            for (int record = 0; record < entry.Records; record++)
            {
                LeaderChanges.Shown(work, _hasher.Of(member.Id.Table, entry[record]!.Key), entry.Index);
            }

            _changes.Shown(member, work, entry, done);
            for (int record = 0; record < entry.Records; record++)
            {
                if (entry[record] is { IsChange: true } part)
                {
                    _waits.Shown(work, _hasher.Of(member.Id.Table, part.Key), entry, part.IsDelete);
                }
            }
        }

        _reads.Shown(member, work);
    }

    /// <inheritdoc/>
    public void ReadNoted(Member member, ulong round) => _reads.ReadNoted(member, round);

    /// <inheritdoc/>
    public void ReadConfirmed(Member member, ulong round) => _reads.ReadConfirmed(member, round);

    /// <inheritdoc/>
    public void Look(Member member)
    {
        if (member.Work is GroupWork work)
        {
            if (IsAlone(member))
            {
                // They would take the room of those whose groups are well.
                _changes.Leave(work);
                _reads.Leave(work, _pause);
            }

            _reads.Look(member, work);
            _waits.Look(work);
        }
    }

    private void Decide(Member member, in Waiter waiter, in RequestContent request, Listing? listing)
    {
        UInt128 key = _hasher.Of(request.Table, request.Key);
        if (request.Type == RequestType.GetAny)
        {
            _answers.Say(member, waiter, Answerer.Look(member, key, Host), Host);
            return;
        }

        if (Open >= _options.Requests || member.Work is not GroupWork work)
        {
            _answers.Refuse(waiter, _pause);
        }
        else if (request.IsChange)
        {
            _changes.Decide(member, work, waiter, request, key, null);
        }
        else if (request.Type == RequestType.Wait)
        {
            _waits.Wait(member, work, waiter, request, key);
        }
        else
        {
            _reads.Read(member, work, WaitingRead.Of(waiter, key, listing, request.Type == RequestType.Look));
        }
    }
}
