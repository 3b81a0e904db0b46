using System.Numerics;
using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// What becomes due: beats, elections, births, who is away and who is back. One beat per pair of servers tells of all
/// groups that they share. Loop only.
/// </summary>
internal sealed class Ticker
{
    private const int BeatsPerSilence = 4;
    private const int MostLooks = 16;

    // For this many beats in a row the other side has something else, while here nothing changes: then all is said
    // again.
    private const int MostDifferences = 2;
    private readonly IServer _server;
    private readonly MessageChannel<KeyValueHeader> _channel;
    private readonly MemberHost _host;
    private readonly KeyValueOptions _options;
    private readonly IGroupDuty _duty;
    private readonly KeyValueCounters _counters;
    private readonly Placement _placement;
    private readonly Reach _reach;
    private readonly Candidacy _candidacy;
    private readonly ServerTimer _timer;
    private readonly long _silenceNanos;
    private readonly long _beatNanos;
    private readonly long _slowNanos;
    private long _lastNanos;
    private long _beatDueNanos;
    private long _standDueNanos;
    private bool _isWoken;
    private bool _isLeaving;

    public Ticker(
        IServer server,
        KeyValueOptions options,
        MessageChannel<KeyValueHeader> channel,
        MemberHost host,
        IGroupDuty duty,
        KeyValueCounters counters
    )
    {
        (_server, _channel, _host, _duty, _counters) = (server, channel, host, duty, counters);
        _options = options;
        _silenceNanos = (long)options.Silence.TotalNanoseconds;
        _beatNanos = _silenceNanos / BeatsPerSilence;
        _placement = new Placement(server, options, channel, host);
        _reach = new Reach(host);
        _slowNanos = (long)options.SlowAfter.TotalNanoseconds;
        _candidacy = new Candidacy(server, host, _silenceNanos);
        _timer = server.CreateTimer(Tick);
    }

    /// <summary>Begins, once the groups are there.</summary>
    public void Start()
    {
        _lastNanos = _beatDueNanos = _server.NowNanos;
        foreach (Member member in _host.Members)
        {
            // The preferred leader at once, the others if it does not.
            int place = Math.Max(0, Array.IndexOf(member.Planned, _server.Coordinate));
            member.AgainNanos = _server.NowNanos + (place * 4 * _silenceNanos);
        }

        _host.Peers.Excuse();
        Tick();
    }

    public void Stop() => _timer.Cancel();

    /// <summary>Is called when all is counted: with each beat.</summary>
    public Action Counted { get; set; } = static () => { };

    /// <summary>Something has changed that groups wait for: it is looked at as soon as nothing else is done.</summary>
    public void Wake()
    {
        _isWoken = true;
        if (_timer.IsArmed)
        {
            _timer.ArmAt(_server.NowNanos);
        }
    }

    /// <summary>This server is about to stop: others lead its groups, as far as they can, and the log says how far all
    /// is applied.</summary>
    public async ValueTask LeaveAsync()
    {
        _isLeaving = true;
        Beat();
        for (int looks = 0; looks < MostLooks && _host.Members.Any(static m => m.Leads); looks++)
        {
            foreach (Member member in _host.Members.Where(static m => m.Leads))
            {
                HandOver(member);
            }

            await _server.DelayAsync(TimeSpan.FromMicroseconds(_silenceNanos / 1_000 / MostLooks));
        }

        foreach (Member member in _host.Members)
        {
            member.WantsTrim = true;
            _host.Tidy(member);
        }

        for (int looks = 0; looks < MostLooks && _host.Behind > 0; looks++)
        {
            await _server.DelayAsync(TimeSpan.FromMicroseconds(_silenceNanos / 1_000 / MostLooks));
        }
    }

    /// <summary>Another server says what it leads and follows.</summary>
    public void OnBeat(Coordinate from, ReadOnlySpan<byte> content)
    {
        if (content.Length < BeatContent.Size || !_host.IsOpen)
        {
            return;
        }

        BeatContent said = MemoryMarshal.Read<BeatContent>(content);
        Peer peer = _host.Peers[from];
        (peer.HeardNanos, peer.IsLeaving) = (_server.NowNanos, said.IsLeaving != 0);
        if (said.IsServing != 0)
        {
            _host.Pieces.Pace.HeardServing();
        }

        if (said.LeadBallots == peer.Sums.FollowBallots)
        {
            peer.LeadNanos = _server.NowNanos;
        }

        // Who does not mean the same of all that this server leads cannot hear from its beats that it leads any of it:
        // it must be told before it takes all of that for leaderless.
        bool knowsLeader = said.FollowBallots == peer.Sums.LeadBallots;
        bool isSame = knowsLeader && said.FollowApplied == peer.Sums.LeadApplied;
        peer.Differences = isSame || peer.LastApplied != peer.Sums.LeadApplied ? 0 : peer.Differences + 1;
        peer.LastApplied = peer.Sums.LeadApplied;
        if (!knowsLeader || peer.Differences > MostDifferences)
        {
            peer.Differences = 0;
            foreach (Member member in _host.Members)
            {
                member.IsDirty |= member.Leads && member.PositionOf(from) >= 0;
            }
        }
    }

    private void Tick()
    {
        long now = _server.NowNanos;
        if (now - _lastNanos > 2 * _beatNanos)
        {
            // This server stood still. What was said meanwhile may be on its way.
            _host.Peers.Excuse();
        }

        (_lastNanos, _standDueNanos, _isWoken) = (now, long.MaxValue, false);
        _host.Admission.Look();
        for (int i = 0; i < _host.Members.Count && _host.Failure.Length == 0; i++)
        {
            Look(_host.Members[i], now);
        }

        if (_host.Failure.Length > 0)
        {
            // Who cannot keep what it promises says nothing any more.
            return;
        }

        if (now >= _beatDueNanos)
        {
            _beatDueNanos = now + _beatNanos;
            Beat();
            Count();
        }

        long nextNanos = Math.Max(_isWoken ? now : _standDueNanos, now + (_beatNanos / MostLooks));
        _timer.ArmAt(Math.Min(_beatDueNanos, nextNanos));
    }

    private void Beat()
    {
        var header = new KeyValueHeader { Type = MessageType.Beat };
        foreach (Peer peer in _host.Peers.All)
        {
            if (peer.Groups > 0)
            {
                BeatContent said = peer.Sums with
                {
                    IsLeaving = _isLeaving ? 1u : 0,
                    IsServing = _host.Pieces.Pace.IsServing ? 1u : 0,
                };
                ReadOnlySpan<byte> content = MemoryMarshal.AsBytes(new ReadOnlySpan<BeatContent>(in said));
                _channel.Send(header, content, default, peer.Server);
            }
        }
    }

    private void Count()
    {
        int leading = 0,
            away = 0,
            leaderless = 0,
            alone = 0;
        foreach (Member member in _host.Members)
        {
            bool isOf = member.State is { Epoch: not null, Role: not GroupRole.Ended };
            leaderless += isOf && (member.Leader is null || (member.Leads && !HasMajority(member))) ? 1 : 0;
            leading += member.Leads ? 1 : 0;
            // In memory nothing is to be done by hand.
            alone += member is { AloneNanos: not 0, Store.IsInMemory: false } ? 1 : 0;
            away += member.Leads ? BitOperations.PopCount(member.State.CommitMarks.Away) : 0;
        }

        _counters.Leading.Set(leading);
        _counters.Away.Set(away);
        _counters.Leaderless.Set(leaderless);
        _counters.Alone.Set(alone);
        _counters.Keys.Set(_host.Index.Count);
        _counters.Needed.Set(_host.Needed);
        if (_host.Log is { } log)
        {
            CountLog(log);
        }

        Counted();
    }

    // Who leads without one goes on to believe so, and can do nothing.
    private bool HasMajority(Member member)
    {
        ReadOnlySpan<StoreId> members = member.State.Epoch!.Members;
        int heard = 0;
        foreach (StoreId store in members)
        {
            heard += store == member.State.Self || !_host.Peers.IsSilent(store.Server) ? 1 : 0;
        }

        return 2 * heard > members.Length;
    }

    private void CountLog(StoreLog log)
    {
        long bytes = log.Segments.Bytes;
        _counters.Bytes.Set(bytes);
        _counters.Garbage.Set(Math.Max(0, bytes - _host.NeededOnDisk));
        _counters.Compacted.Set(log.Counts.Compacted);
        _counters.CompactedBytes.Set(log.Counts.CopiedBytes);
        _counters.Rotten.Set(log.Counts.Rotten);
        _counters.Scrubbed.Set(log.Scrubbing.DoneBytes);
        _counters.ScrubPercent.Set((long)(100 * log.Scrubbing.Share));
    }

    private void HandOver(Member member)
    {
        ReadOnlySpan<StoreId> members = member.State.Epoch!.Members;
        for (int position = 0; position < members.Length; position++)
        {
            bool mayLead =
                position != member.State.Position
                && !_host.Peers.IsSilent(members[position].Server)
                && !_host.Peers[members[position].Server].IsLeaving
                && member.State.LastMarks.IsWhole(position);
            if (mayLead && member.State.AcknowledgedBy(position) == member.State.LastIndex)
            {
                _host.Step(member, new GroupEvent { Kind = EventKind.HandOverDue, Position = position });
                return;
            }
        }
    }

    private void Look(Member member, long now)
    {
        _host.Tidy(member);
        if (now >= _beatDueNanos)
        {
            _reach.Note(member, now);
        }

        switch (member.State.Role)
        {
            case GroupRole.Leader:
                Lead(member);
                break;
            case GroupRole.Unborn
                when now >= member.AgainNanos
                    && _host.BirthPlanOf(member.Id) is var plan
                    && plan.Contains(_server.Coordinate):
                member.AgainNanos = now + _silenceNanos;
                Birth(member, plan);
                break;
            case GroupRole.Sealed when now >= member.AgainNanos:
                member.AgainNanos = now + _silenceNanos;
                Ask(member, EventKind.RecoverRepeatDue);
                break;
            case GroupRole.Unborn
            or GroupRole.Ended when (!member.State.IsDropped || member.State.IsInMemory) && now >= member.AgainNanos:
                member.AgainNanos = now + (BeatsPerSilence * _silenceNanos);
                Ask(member, EventKind.LeaveDue);
                break;
            case GroupRole.Follower or GroupRole.PreCandidate or GroupRole.Candidate:
                _host.Tidy(member);
                _standDueNanos = Math.Min(_standDueNanos, _candidacy.Look(member, now));
                break;
            default:
                break;
        }
    }

    private void Birth(Member member, Coordinate[] plan)
    {
        if (member.State is { IsInMemory: true, Fetching: not null })
        {
            // Not blank, unless nobody is left of those that have it.
            Ask(member, EventKind.LeaveDue);
            return;
        }

        if (member.State.Birth is not null)
        {
            _host.Step(member, GroupEvent.Of(EventKind.BirthRepeatDue));
            return;
        }

        GroupMode mode = TableCheck.ModeOf(_options, member.Id.Table);
        var planned = new GroupEpoch(
            1,
            StoresAt(plan),
            new GroupMarks(0, (byte)((1 << plan.Length) - 1)),
            default,
            mode
        );
        _host.Step(member, new GroupEvent { Kind = EventKind.BirthDue, Epoch = planned });
    }

    // Who waits for a group to go on without it, or to begin.
    private void Ask(Member member, EventKind kind)
    {
        // In memory who is planned has it, or it begins anew.
        GroupEpoch? planned = member.Store.IsInMemory ? null : new GroupEpoch(1, StoresAt(member.Planned), default);
        _host.Step(member, new GroupEvent { Kind = kind, Epoch = planned });
    }

    // Whichever they have.
    private static StoreId[] StoresAt(Coordinate[] servers) => [.. servers.Select(static s => new StoreId(s, 0))];

    private void Lead(Member member)
    {
        GroupState state = member.State;
        GroupEpoch epoch = state.Epoch!;
        bool isBehind = state.Commit < state.LastIndex || state.Applied < state.LastIndex;
        for (int position = 0; position < epoch.Members.Length; position++)
        {
            isBehind |= position != state.Position && state.AcknowledgedBy(position) < state.LastIndex;
        }

        if ((member.IsDirty || isBehind) && _lastNanos >= _beatDueNanos)
        {
            member.IsDirty = false;
            _host.Step(member, GroupEvent.Of(EventKind.BeatDue));
        }

        if (_lastNanos >= _beatDueNanos && Leases.IsDue(member))
        {
            _host.Step(member, GroupEvent.Of(EventKind.ReadDue));
        }

        // Itself, too: it may have been away until it was elected.
        for (int position = 0; position < epoch.Members.Length && state.Role == GroupRole.Leader; position++)
        {
            Mark(member, position);
        }

        if (state.Role == GroupRole.Leader)
        {
            _placement.Look(member);
        }

        if (state.Role == GroupRole.Leader)
        {
            _duty.Look(member);
        }
    }

    // It beats, and does not acknowledge what is written.
    private bool IsSlow(Member member, int position)
    {
        GroupState state = member.State;
        ulong acknowledged = state.AcknowledgedBy(position);
        if (acknowledged >= Math.Min(state.LastIndex, member.Asked[position]))
        {
            (member.Asked[position], member.AskedNanos[position]) = (state.LastIndex, _server.NowNanos);
        }

        return _server.NowNanos - member.AskedNanos[position] > _slowNanos;
    }

    private void Mark(Member member, int position)
    {
        GroupState state = member.State;
        GroupMarks marks = state.LastMarks;
        StoreId store = state.Epoch!.Members[position];
        bool isSelf = position == state.Position;
        bool hasAll = state.AcknowledgedBy(position) == state.LastIndex;
        bool isSilent =
            !isSelf
            && (
                _host.Bans.Has(store)
                || _host.Peers.IsSilent(store.Server)
                || (_host.Peers[store.Server].StoreOf(member) is { } now && now != store)
                || IsSlow(member, position)
            );
        EntryKind? mark =
            isSilent && !marks.IsAway(position) ? EntryKind.Away
            : !isSilent && hasAll && marks.IsAway(position) ? EntryKind.Back
            : !isSilent && hasAll && !marks.IsWhole(position) ? EntryKind.Whole
            : null;
        if (mark is { } kind)
        {
            _host.Step(
                member,
                new GroupEvent
                {
                    Kind = EventKind.ProposeMark,
                    Mark = kind,
                    Position = position,
                }
            );
        }
        else if (
            position == 0
            && !isSelf
            && hasAll
            && !isSilent
            && marks.IsWhole(0)
            && state.Applied == state.LastIndex
            && !state.EndsInNext
            && !_host.Peers[store.Server].IsLeaving
        )
        {
            // Settled is: the first one leads.
            _host.Step(member, new GroupEvent { Kind = EventKind.HandOverDue, Position = 0 });
        }
    }
}
