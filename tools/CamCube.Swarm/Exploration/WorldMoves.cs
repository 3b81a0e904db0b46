using CamCube.Services.KeyValue.Groups;

namespace CamCube.Swarm.Exploration;

/// <summary>All that can happen next in a world, in a fixed order.</summary>
internal sealed class WorldMoves
{
    private readonly LocalSteps _steps = new();
    private readonly WorldRules _rules;
    private readonly WorldNetwork _network;
    private readonly LeaseMoves _leases;
    private readonly RecoveryMoves _recovery;
    private readonly ExploreOptions _options;
    private readonly World _next = new();
    private readonly World _late = new();
    private Action<World, string?, string> _emit = (_, _, _) => { };

    public WorldMoves(ExploreOptions options)
    {
        _options = options;
        _leases = new LeaseMoves(options, _steps);
        _recovery = new RecoveryMoves(options, _steps);
        _rules = new WorldRules(_steps);
        _network = new WorldNetwork(_steps);
    }

    /// <summary>Whether moves are told in words.</summary>
    public bool IsTold { get; set; }

    /// <summary>The world an exploration begins with.</summary>
    public World First()
    {
        var world = new World();
        for (int server = 0; server < World.Servers; server++)
        {
            world.Live[server] = _steps.IdOf(new GroupState(StoreOf(server, 1), true));
            world.Disk[server] = _steps.RestartOf(world.Live[server]);
        }

        if (_options.Start == ExploreStart.Blank)
        {
            return world;
        }

        Settle(world, 0, "birth", new GroupEvent { Kind = EventKind.BirthDue, Epoch = Planned(_leases.Mode) });
        world.Sent.Clear();
        if (_options.Start == ExploreStart.Led)
        {
            Settle(world, 0, "stand", GroupEvent.Of(EventKind.StandDue));
            Settle(world, 0, "beat", GroupEvent.Of(EventKind.BeatDue));
        }

        return world;
    }

    /// <summary>Tells all next worlds: the world, what it breaks or null, and in words how it comes about.</summary>
    public void Each(World world, Action<World, string?, string> emit)
    {
        _emit = emit;
        for (int server = 0; server < World.Servers; server++)
        {
            GroupState state = _steps.States[world.Live[server]];
            foreach ((LocalStep step, string told, Action<World> also) in _recovery.Of(world, server, IsTold))
            {
                Do(world, server, step, told, also);
            }

            if ((world.Lost >> server & 1) != 0)
            {
                continue;
            }

            Deliveries(world, server);
            Disks(world, server, state);
            if (state.Epoch is null)
            {
                Births(world, server, state);
            }
            else if (state.Role < GroupRole.Ended)
            {
                Elections(world, server, state);
            }

            if (state.Role == GroupRole.Leader)
            {
                Leads(world, server, state);
            }

            foreach ((LocalStep step, string told, Action<World> also) in _leases.Of(world, server, state, IsTold))
            {
                Do(world, server, step, told, also);
            }

            if (_options.Planted == PlantedError.EpochEarly)
            {
                UseEarly(world, server, state);
            }
        }
    }

    private static StoreId StoreOf(int server, ulong incarnation) =>
        new(new Coordinate((ushort)server, 0, 0), incarnation);

    private static GroupEpoch Planned(GroupMode mode) =>
        new(1, [StoreOf(0, 1), StoreOf(1, 1), StoreOf(2, 1)], default, default, mode);

    private static string NameOf(GroupState state) => LocalSteps.NameOf(state.Self);

    private void Deliveries(World world, int server)
    {
        int before = world.Live[server];
        foreach (int message in world.Sent)
        {
            if (_network.ReceiverOf(message) != server)
            {
                continue;
            }

            LocalStep step = _steps.Receive(before, message);
            if (step.State != before || step.Sent.Length > 0)
            {
                string who = IsTold ? NameOf(_steps.States[before]) : "";
                Do(world, server, step, IsTold ? $"{who} receives {MoveText.Of(_steps.Messages[message])}" : "");
            }
        }
    }

    private void Disks(World world, int server, GroupState state)
    {
        bool isUnsynced = (world.Unsynced >> server & 1) != 0;
        if (isUnsynced)
        {
            _next.CopyFrom(world);
            string? broken = Sync(_next, server);
            Emit(_next, broken, IsTold ? $"{NameOf(state)} has synced" : "");
        }

        // Who neither leads nor stands, and has all synced, would forget only how far others were.
        bool mayCrash = isUnsynced || state.Role is GroupRole.Leader or GroupRole.Candidate;
        if (mayCrash && world.Crashes < _options.Crashes)
        {
            _next.CopyFrom(world);
            _next.Crashes++;
            _next.Fall(server, world.Disk[server]);
            _network.Prune(_next);
            Emit(_next, null, IsTold ? $"{NameOf(state)} crashes and starts" : "");
        }

        bool mayBeReplaced = server < 3 && world.Replaced == 0 && _options.Replacements > 0;
        if (mayBeReplaced)
        {
            _next.CopyFrom(world);
            _next.Replaced = (byte)(server + 1);
            _next.Fall(server, _steps.IdOf(new GroupState(StoreOf(server, 2), false)));
            _next.Disk[server] = _next.Live[server];
            _network.Prune(_next);
            Emit(_next, null, IsTold ? $"the disk of {NameOf(state)} is replaced" : "");
        }

        if (state is { Role: GroupRole.Sealed, IsDecided: true })
        {
            LocalStep goes = _steps.Take(world.Live[server], "decided", GroupEvent.Of(EventKind.RecoverRepeatDue));
            Do(world, server, goes, IsTold ? $"{NameOf(state)} goes on with what it decided" : "");
        }

        if (state.Fetching is { } epoch)
        {
            ulong index = _rules.BeginOf(world, epoch, _options.Planted == PlantedError.EpochEarly);
            if (index > 0)
            {
                var installed = new GroupEvent
                {
                    Kind = EventKind.Installed,
                    Epoch = epoch,
                    Data = index,
                };
                Do(
                    world,
                    server,
                    _steps.Take(world.Live[server], $"install {epoch} {index}", installed),
                    IsTold ? $"{NameOf(state)} has the state at the beginning of epoch {epoch.Number}" : ""
                );
            }
        }
    }

    private void Births(World world, int server, GroupState state)
    {
        if (world.Births < _options.Births && server < 3 && state.Birth is null)
        {
            Do(
                world,
                server,
                _steps.Take(
                    world.Live[server],
                    "birth",
                    new GroupEvent { Kind = EventKind.BirthDue, Epoch = Planned(_leases.Mode) }
                ),
                IsTold ? $"{NameOf(state)} plans a birth" : "",
                n => n.Births++
            );
        }

        if (world.Refusals >= _options.Births)
        {
            return;
        }

        for (int other = 0; other < 3; other++)
        {
            GroupEpoch? birth = _steps.States[world.Disk[other]].Birth;
            if (birth is not null && !state.HasRefused(birth))
            {
                Do(
                    world,
                    server,
                    _steps.Take(
                        world.Live[server],
                        $"refuse {birth}",
                        new GroupEvent { Kind = EventKind.RefuseBirthDue, Epoch = birth }
                    ),
                    IsTold ? $"{NameOf(state)} refuses the birth {birth}" : "",
                    n => n.Refusals++
                );
            }
        }
    }

    private void Elections(World world, int server, GroupState state)
    {
        // The first one is the first server's: until then they are all alike.
        bool isFirst = _options.Start == ExploreStart.Born && server > 0 && world.Replaced == 0;
        if (
            state.Role == GroupRole.Leader
            || state.Ballot.Term >= _options.Terms
            || (isFirst && !world.Votes.AsSpan().ContainsAnyExcept((byte)0))
        )
        {
            return;
        }

        Do(
            world,
            server,
            _steps.Take(world.Live[server], "stand", GroupEvent.Of(EventKind.StandDue)),
            IsTold ? $"{NameOf(state)} stands in {state.Ballot.Next}" : ""
        );
    }

    private void Leads(World world, int server, GroupState state)
    {
        int live = world.Live[server];
        string name = IsTold ? NameOf(state) : "";
        if (!state.EndsInNext)
        {
            Writes(world, server, name);
            Changes(world, server, state, name);
            MarkMembers(world, server, state, name);
        }

        if (world.Beats < _options.Beats)
        {
            LocalStep beat = _steps.Take(live, "beat", GroupEvent.Of(EventKind.BeatDue));
            Do(world, server, beat, $"{name} beats", n => n.Beats++);
        }

        if (world.Read == 0 && _options.Reads > 0)
        {
            LocalStep read = _steps.Take(live, "read", GroupEvent.Of(EventKind.ReadDue));
            if (read.ReadNoted >= 0)
            {
                Do(world, server, read, $"{name} gets a read and notes index {read.ReadNoted}");
            }
        }
    }

    private void Writes(World world, int server, string name)
    {
        int[] log = _steps.EntriesOf(world.Live[server]);
        for (int write = 0; write < _options.Writes; write++)
        {
            // Whoever evaluates a request looks for its id over the whole log.
            int data = write;
            bool Is(int entry) =>
                _steps.Entries[entry] is { Kind: EntryKind.Operation } found && found.Data == (ulong)data;
            ulong before = _steps.States[world.Live[server]].BaseIndex;
            bool isKnown = world.Committed.FindIndex(c => Is(c.Entry)) is >= 0 and int at && (ulong)at < before;
            if ((write == 1 && (world.Writes & 1) == 0) || isKnown || Array.Exists(log, Is))
            {
                continue;
            }

            byte began = (byte)(1 << write);
            bool isSecond = write == 1 && (world.Writes & 2) == 0 && (world.Writes & 4) != 0;
            LocalStep step = _steps.Take(world.Live[server], $"write {write}", GroupEvent.Propose((ulong)write));
            Do(
                world,
                server,
                step,
                IsTold ? $"{name} appends write {write + 1}" : "",
                n => n.Writes |= (byte)(began | (isSecond ? 16 : 0))
            );
        }
    }

    private void Changes(World world, int server, GroupState state, string name)
    {
        if (world.Changes >= _options.Changes)
        {
            return;
        }

        // The stand-in, or the store on a replaced disk, in the place of one that does not lead.
        ReadOnlySpan<StoreId> members = state.Epoch!.Members;
        StoreId[] candidates = world.Replaced > 0 ? [StoreOf(3, 1), StoreOf(world.Replaced - 1, 2)] : [StoreOf(3, 1)];
        foreach (StoreId candidate in candidates)
        {
            for (int member = 0; member < members.Length; member++)
            {
                if (members[member] == state.Self || state.Epoch.PositionOf(candidate) >= 0)
                {
                    continue;
                }

                StoreId[] next = [.. members];
                next[member] = candidate;
                var epoch = new GroupEpoch(state.Epoch.Number + 1, next, default);
                LocalStep step = _steps.Take(
                    world.Live[server],
                    $"next {epoch}",
                    new GroupEvent { Kind = EventKind.ProposeNext, Epoch = epoch }
                );
                Do(
                    world,
                    server,
                    step,
                    IsTold ? $"{name} appends Next: {LocalSteps.NameOf(candidate)} for member {member}" : "",
                    n => n.Changes++
                );
            }
        }
    }

    private void MarkMembers(World world, int server, GroupState state, string name)
    {
        for (int member = 0; member < state.Epoch!.Members.Length && world.Marks < _options.Marks; member++)
        {
            EntryKind mark = state.LastMarks.IsAway(member) ? EntryKind.Back : EntryKind.Away;
            LocalStep step = _steps.Take(
                world.Live[server],
                $"{mark} {member}",
                new GroupEvent
                {
                    Kind = EventKind.ProposeMark,
                    Mark = mark,
                    Position = member,
                }
            );
            if (step.Wrote)
            {
                string whom = IsTold ? LocalSteps.NameOf(state.Epoch.Members[member]) : "";
                Do(world, server, step, IsTold ? $"{name} appends {mark} of {whom}" : "", n => n.Marks++);
            }
        }
    }

    // Planted: in the next epoch by a Next that is in somebody's log and not committed.
    private void UseEarly(World world, int server, GroupState state)
    {
        for (int other = 0; other < World.Servers; other++)
        {
            GroupState of = _steps.States[world.Live[other]];
            GroupEpoch? epoch = of.EndsInNext ? of.EntryAt(of.LastIndex).Epoch : null;
            if (epoch is null || epoch.PositionOf(state.Self) < 0 || state.Epoch?.Number == epoch.Number)
            {
                continue;
            }

            var early = new GroupMessage
            {
                Kind = MessageKind.StartEpoch,
                From = of.Self,
                To = state.Self,
                Ballot = new Ballot(0, epoch.Number, 0),
                Index = of.LastIndex,
                EntryBallot = of.LastBallot,
                Epoch = epoch,
            };
            LocalStep step = _steps.Receive(world.Live[server], _steps.IdOf(early));
            Do(world, server, step, IsTold ? $"{NameOf(state)} is told of epoch {epoch.Number} too early" : "");
        }
    }

    private void Do(World world, int server, LocalStep step, string told, Action<World>? alsoSo = null)
    {
        bool isLate = (world.Unsynced >> server & 1) != 0;
        _next.CopyFrom(world);
        alsoSo?.Invoke(_next);
        string? broken = Apply(_next, server, step);
        if (!step.Wrote)
        {
            Emit(_next, broken, told);
            return;
        }

        if (isLate || world.SlowSyncs < _options.SlowSyncs)
        {
            _late.CopyFrom(_next);
            _late.Unsynced |= (byte)(1 << server);
            _late.SlowSyncs += isLate ? (byte)0 : (byte)1;
            Emit(_late, broken, IsTold ? $"{told}; its sync takes long" : "");
            Lie(server, told, broken);
        }

        broken ??= Sync(_next, server);
        Emit(_next, broken, IsTold ? $"{told}, and syncs" : "");
    }

    // Planted: the promise is called durable, and is not yet.
    private void Lie(int server, string told, string? broken)
    {
        GroupState state = _steps.States[_late.Live[server]];
        if (_options.Planted != PlantedError.VoteUnsynced || state.IsPromiseSynced)
        {
            return;
        }

        GroupSync lie = state.Written with { Index = 0 };
        LocalStep step = _steps.Take(_late.Live[server], $"lie {lie.Ballot} {lie.Voted}", GroupEvent.Of(lie));
        broken ??= Apply(_late, server, step);
        Emit(_late, broken, IsTold ? $"{told}; calls its vote synced, which it is not" : "");
    }

    private string? Sync(World world, int server)
    {
        string? broken = null;
        LocalStep step;
        do
        {
            world.Disk[server] = _steps.RestartOf(world.Live[server]);
            world.Unsynced &= (byte)~(1 << server);
            step = _steps.Sync(world.Live[server]);
            broken ??= Apply(world, server, step);
        } while (step.Wrote);

        return broken;
    }

    private string? Apply(World world, int server, LocalStep step)
    {
        int before = world.Live[server];
        world.Live[server] = step.State;
        string? broken = _rules.Note(world, server, before, step);
        foreach (int message in step.Sent)
        {
            _network.Send(world, message);
        }

        _network.Prune(world);
        return broken;
    }

    private void Emit(World world, string? broken, string told) => _emit(world, broken ?? _rules.Check(world), told);

    // Nothing goes wrong: all is synced and delivered, the stand-in has no part in it.
    private void Settle(World world, int server, string text, in GroupEvent happened)
    {
        LocalStep first = _steps.Take(world.Live[server], text, happened);
        _ = Apply(world, server, first);
        _ = first.Wrote ? Sync(world, server) : null;
        HashSet<(int State, int Message)> done = [];
        for (bool isQuiet = false; !isQuiet; )
        {
            isQuiet = true;
            foreach (int message in world.Sent.ToArray())
            {
                int to = _network.ReceiverOf(message);
                if (done.Add((world.Live[to], message)))
                {
                    LocalStep step = _steps.Receive(world.Live[to], message);
                    _ = Apply(world, to, step);
                    _ = step.Wrote ? Sync(world, to) : null;
                    isQuiet = false;
                }
            }
        }

        if (world.Born == 0)
        {
            throw new InvalidOperationException("it is not born when nothing goes wrong");
        }
    }
}
