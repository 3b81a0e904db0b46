using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Recovery;

/// <summary>
/// Fetches states of groups, some at a time, part by part: what comes is written as applied, and when all of it is the
/// group's position moves at once. Loop only.
/// </summary>
internal sealed class StateFetcher : IStateDuty
{
    private const int MostTries = 4;

    // Records that wait for the disk here: nothing more is asked for meanwhile.
    private const int MostBehind = 2_048;

    // Changes of a group whose pieces are fetched: behind them nothing more is asked for.
    private const int MostLacking = 64;
    private readonly IServer _server;
    private readonly KeyValueOptions _options;
    private readonly MessageChannel<KeyValueHeader> _channel;
    private readonly MemberHost _host;
    private readonly KeyValueCounters _counters;
    private readonly ServerTimer _timer;
    private readonly long _askNanos;
    private readonly Dictionary<GroupId, StateFetch> _running = [];
    private readonly List<StateFetch> _waiting = [];
    private ulong _sessions;

    public StateFetcher(
        IServer server,
        KeyValueOptions options,
        MessageChannel<KeyValueHeader> channel,
        MemberHost host,
        KeyValueCounters counters
    )
    {
        (_server, _options, _channel, _host, _counters) = (server, options, channel, host, counters);
        Repairer = new RotRepairer(server, channel, host, counters, options.Silence);
        _askNanos = (long)options.Silence.TotalNanoseconds;
        _timer = server.CreateTimer(Look);
        _sessions = server.Incarnation << 20;
    }

    /// <summary>Mends what has rotted.</summary>
    public RotRepairer Repairer { get; }

    /// <summary>States that are fetched, or are to be.</summary>
    public int Open => _running.Count + _waiting.Count;

    public void Stop() => _timer.Cancel();

    /// <inheritdoc/>
    public void Offer(Member member, Coordinate to)
    {
        Span<byte> content = stackalloc byte[3 * sizeof(uint)];
        MemoryMarshal.Write(content, member.Id.Number);
        MemoryMarshal.Write(content[sizeof(uint)..], member.State.Epoch!.Number);
        MemoryMarshal.Write(content[(2 * sizeof(uint))..], member.State.Epoch!.Generation);
        _channel.Send(new KeyValueHeader { Type = MessageType.StateOffer }, content, default, to);
    }

    /// <inheritdoc/>
    public void Fetch(Member member, GroupEpoch epoch, ulong index)
    {
        List<Coordinate> sources = [];
        foreach (StoreId store in epoch.Members)
        {
            Add(sources, store.Server);
        }

        foreach (StoreId store in epoch.Leaving)
        {
            Add(sources, store.Server);
        }

        Begin(new StateFetch(member, epoch, index, sources));
    }

    /// <inheritdoc/>
    public void Rotten(LogKeeper keeper, uint segment, long from, long to) =>
        Repairer.Rotten(keeper, segment, from, to);

    /// <inheritdoc/>
    public ValueTask<bool> MendAsync(uint group, UInt128 key) => Repairer.Mend(group, key);

    /// <summary>A leader says that its log does not go back to what is here. False: it cannot be read.</summary>
    public bool OnOffer(Coordinate from, ReadOnlySpan<byte> content)
    {
        if (content.Length < 3 * sizeof(uint))
        {
            return false;
        }

        var id = new GroupId(MemoryMarshal.Read<uint>(content));
        uint epoch = MemoryMarshal.Read<uint>(content[sizeof(uint)..]);
        uint generation = MemoryMarshal.Read<uint>(content[(2 * sizeof(uint))..]);
        if (
            _host.IsOpen
            && _host.Find(id) is { State: { Role: < GroupRole.Ended, Epoch: { } known } } member
            && known.Number == epoch
            && known.Generation == generation
        )
        {
            Begin(new StateFetch(member, known, member.State.EpochIndex, [from]));
        }

        return true;
    }

    /// <summary>A part of a state. False: it cannot be read.</summary>
    public bool OnChunk(Coordinate from, ReadOnlySpan<byte> content)
    {
        if (content.Length < StateChunk.Size)
        {
            return false;
        }

        StateChunk head = MemoryMarshal.Read<StateChunk>(content);
        ReadOnlySpan<byte> records = content[StateChunk.Size..];
        if (
            !_running.TryGetValue(new GroupId(head.Group), out StateFetch? fetch)
            || fetch.Session != head.Session
            || fetch.Source != from
        )
        {
            return true;
        }

        if (head.Epoch == 0)
        {
            Turn(fetch);
            return true;
        }

        if (head.Cursor != fetch.Cursor || head.Length != records.Length)
        {
            return head.Length == records.Length;
        }

        // A whole part was asked for.
        _host.Pieces.Pace.Take(records.Length - StateSource.PartBytes);
        var reader = new WireReader(records);
        List<(LogRecord Change, Operation Operation)> changes = [];
        for (int record = 0; record < head.Count; record++)
        {
            if (!StateRecordFormat.TryRead(ref reader, out LogRecord change, out Operation? operation))
            {
                Turn(fetch);
                return false;
            }

            changes.Add((change, operation!));
        }

        foreach ((LogRecord change, Operation operation) in changes)
        {
            if (!IsHere(fetch.Member, change, operation) && !TrySettle(fetch, change, operation))
            {
                // It comes into the log after its pieces, which come while the next part does.
                fetch.Lacking.Add((change, operation));
            }
        }

        fetch.Tries = 0;
        if (head.Next == 0)
        {
            fetch.End = (head, records[^reader.Left..].ToArray());
        }
        else
        {
            (fetch.Cursor, fetch.AskedNanos) = (head.Next, StateFetch.Never);
        }

        return GoOn(fetch);
    }

    /// <summary>Pieces of a value came, or nobody had them.</summary>
    public void OnPieces(uint group, PieceId id, bool isWhole)
    {
        if (!_running.TryGetValue(new GroupId(group), out StateFetch? fetch) || !fetch.Lacks(id))
        {
            return;
        }

        if (isWhole)
        {
            fetch.Failures = 0;
            SettleHere(fetch);
            _ = GoOn(fetch);
        }
        else if (++fetch.Failures > MostTries)
        {
            // Perhaps the keys have other values by now.
            Turn(fetch);
        }
    }

    private static bool IsPartOf(ulong session, in KeyValueHeader header) =>
        header.Type == MessageType.StateChunk && header.Question == session;

    private void Add(List<Coordinate> sources, Coordinate server)
    {
        if (server != _server.Coordinate && !sources.Contains(server))
        {
            sources.Add(server);
        }
    }

    private void Begin(StateFetch fetch)
    {
        if (_running.TryGetValue(fetch.Member.Id, out StateFetch? running) && !fetch.Epoch.IsAfter(running.Epoch))
        {
            return;
        }

        _running.Remove(fetch.Member.Id);
        _waiting.RemoveAll(w => w.Member == fetch.Member);
        _waiting.Add(fetch);
        if (!_timer.IsArmed)
        {
            _timer.Arm(TimeSpan.Zero);
        }
    }

    // The same change is here, from an earlier attempt.
    private bool IsHere(Member member, in LogRecord change, Operation operation) =>
        _host.TryFind(member.Id.Table, operation.Key, out IndexEntry entry)
        && entry.Version == change.Version
        && !Repairer.IsRotten(member.Id.Number, entry.Location);

    private bool TrySettle(StateFetch fetch, in LogRecord change, Operation operation)
    {
        if (operation.Pieces is { } list && !_host.Pieces.Has(fetch.Member, list, fetch.SourcesOf(list.Id)))
        {
            return false;
        }

        _counters.FetchedChanges.Add();
        _host.Settle(fetch.Member, change, operation);
        return true;
    }

    private void SettleHere(StateFetch fetch) =>
        fetch.Lacking.RemoveAll(lacking => TrySettle(fetch, lacking.Change, lacking.Operation));

    // The next part, or the end of the state. False: that cannot be read.
    private bool GoOn(StateFetch fetch)
    {
        if (fetch.End is not { } end)
        {
            if (fetch.Lacking.Count < MostLacking && fetch.AskedNanos == StateFetch.Never)
            {
                Ask(fetch);
            }

            return true;
        }

        if (fetch.Lacking.Count > 0)
        {
            return true;
        }

        // Before the position moves: so whoever has the state knows what was done in it.
        var reader = new WireReader(end.Behind);
        var runs = new BallotRuns();
        runs.Read(ref reader);
        fetch.Member.Requests.Read(ref reader);
        if (reader.IsBroken)
        {
            Turn(fetch);
            return false;
        }

        End(fetch, end.Head, runs);
        return true;
    }

    private void End(StateFetch fetch, in StateChunk head, BallotRuns runs)
    {
        Member member = fetch.Member;
        if (head.Index > member.Shown)
        {
            member.Runs.Take(runs);
        }

        _running.Remove(member.Id);
        _counters.Fetched.Add();
        if (fetch.Epoch.IsAfter(member.State.Epoch))
        {
            _host.Step(
                member,
                new GroupEvent
                {
                    Kind = EventKind.Installed,
                    Epoch = fetch.Epoch,
                    Data = fetch.Index,
                }
            );
        }

        _host.Step(
            member,
            new GroupEvent
            {
                Kind = EventKind.Jump,
                Data = head.Index,
                Ballot = new Ballot(head.Generation, head.BallotEpoch, head.Term),
                Marks = new GroupMarks(head.Away, head.Whole),
            }
        );
        Look();
    }

    private void Turn(StateFetch fetch)
    {
        fetch.Turn(++_sessions);
        if (fetch.IsHopeless)
        {
            // Whoever wants it here says so again.
            _running.Remove(fetch.Member.Id);
        }
    }

    private void Look()
    {
        while (_waiting.Count > 0 && _running.Count < _options.Fetches)
        {
            StateFetch next = _waiting[0];
            _waiting.RemoveAt(0);
            next.Session = ++_sessions;
            _running[next.Member.Id] = next;
        }

        foreach (StateFetch fetch in _running.Values.ToArray())
        {
            SettleHere(fetch);
            if (fetch.End is not null)
            {
                _ = GoOn(fetch);
            }
            else if (fetch.Lacking.Count < MostLacking && _server.NowNanos - fetch.AskedNanos >= _askNanos)
            {
                Ask(fetch);
            }
        }

        if (Open > 0)
        {
            long next = _server.NowNanos + (_askNanos / 4);
            _timer.ArmAt(_host.Pieces.Pace.MayGo ? next : Math.Min(next, _host.Pieces.Pace.FreeNanos));
        }
    }

    private void Ask(StateFetch fetch)
    {
        bool isOver =
            fetch.Member.State.Epoch is { } epoch
            && (
                epoch.IsAfter(fetch.Epoch)
                || (!fetch.Epoch.IsAfter(epoch) && fetch.Member.State.Role == GroupRole.Leader)
            );
        if (isOver)
        {
            _running.Remove(fetch.Member.Id);
            return;
        }

        if (_host.Behind > MostBehind || !_host.Pieces.Pace.MayGo)
        {
            // Soon: the timer looks.
            return;
        }

        // Others wait for its place here, longer than a server that is gone is waited for.
        while (!_server.Topology.IsReachable(fetch.Source))
        {
            Turn(fetch);
            if (fetch.IsHopeless)
            {
                return;
            }
        }

        if (_channel.IsArriving(fetch.Session, static (session, header) => IsPartOf(session, header)))
        {
            (fetch.Tries, fetch.AskedNanos) = (1, _server.NowNanos);
            return;
        }

        if (++fetch.Tries > MostTries)
        {
            Turn(fetch);
            return;
        }

        // What is shown here and is not said to be applied on the disk is forgotten by a restart, once the state has
        // taken its place.
        _host.Pieces.Pace.Take(StateSource.PartBytes);
        fetch.AskedNanos = _server.NowNanos;
        var ask = new StateAsk
        {
            Group = fetch.Member.Id.Number,
            Epoch = fetch.Epoch.Number,
            Generation = fetch.Epoch.Generation,
            Session = fetch.Session,
            From = fetch.Member.State.IsDropped ? 0 : fetch.Member.Positioned,
            Cursor = fetch.Cursor,
        };
        ReadOnlySpan<byte> content = MemoryMarshal.AsBytes(new ReadOnlySpan<StateAsk>(in ask));
        _channel.Send(new KeyValueHeader { Type = MessageType.StateAsk }, content, default, fetch.Source);
    }
}
