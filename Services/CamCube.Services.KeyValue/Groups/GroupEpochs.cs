namespace CamCube.Services.KeyValue.Groups;

/// <summary>Change of members: an epoch ends with the entry Next, which a majority of its own members commits. Only who
/// knows that, and has the state at Next, does anything in the one after it.</summary>
internal static class GroupEpochs
{
    private const int MostLeaving = 16;

    public static void Propose(in GroupStep step, GroupEpoch planned)
    {
        GroupState state = step.State;
        if (state.Role != GroupRole.Leader || state.EndsInNext || HasBanned(state.Epoch!, planned))
        {
            step.Do(ActionKind.Decline);
            return;
        }

        GroupMarks now = state.LastMarks;
        int away = 0;
        int whole = 0;
        for (int member = 0; member < planned.Members.Length; member++)
        {
            int before = state.Epoch!.PositionOf(planned.Members[member]);

            // A new one counts as away until it has said that it has the state.
            away |= before < 0 || now.IsAway(before) ? 1 << member : 0;
            whole |= before >= 0 && now.IsWhole(before) ? 1 << member : 0;
        }

        // Who left before and was not told yet that all are whole keeps its data until this epoch's are.
        List<StoreId> leaving = [];
        if (now.Whole != (1 << state.Epoch!.Members.Length) - 1)
        {
            foreach (StoreId left in state.Epoch.Leaving[..Math.Min(state.Epoch.Leaving.Length, MostLeaving)])
            {
                if (planned.PositionOf(left) < 0)
                {
                    leaving.Add(left);
                }
            }
        }

        foreach (StoreId member in state.Epoch!.Members)
        {
            if (planned.PositionOf(member) < 0)
            {
                leaving.Add(member);
            }
        }

        var next = new GroupEpoch(
            state.Epoch.Number + 1,
            planned.Members,
            new GroupMarks((byte)away, (byte)whole),
            [.. leaving],
            state.Epoch.Mode,
            state.Epoch.Generation,
            state.Epoch.Banned
        );
        GroupReplication.Propose(step, EntryKind.Next, 0, next);
    }

    /// <summary>The Next at the end of this log is committed. Who led tells all.</summary>
    public static void End(in GroupStep step)
    {
        GroupState state = step.State;
        GroupEntry next = state.Log[^1];
        GroupEpoch old = state.Epoch!;
        bool isLeader = state.Role == GroupRole.Leader;
        state.EndedBallot = next.Ballot;
        state.HasEnd = true;
        Enter(step, next.Epoch!, state.LastIndex);
        if (!isLeader)
        {
            return;
        }

        foreach (StoreId member in next.Epoch!.Members)
        {
            if (member != state.Self)
            {
                Tell(step, member);
            }
        }

        foreach (StoreId member in old.Members)
        {
            if (member != state.Self && next.Epoch.PositionOf(member) < 0)
            {
                Tell(step, member);
            }
        }
    }

    /// <summary>Tells the others that this epoch has begun: those that have to fetch the state may not have heard of
    /// it, and nobody may be able to lead without them.</summary>
    public static void TellMembers(in GroupStep step)
    {
        GroupEpoch epoch = step.State.Epoch!;
        if (epoch.Number == 1)
        {
            return;
        }

        foreach (StoreId member in epoch.Members)
        {
            if (member != step.State.Self)
            {
                Tell(step, member);
            }
        }
    }

    /// <summary>Tells of the epoch that is known here.</summary>
    public static void Tell(in GroupStep step, StoreId to) =>
        step.Send(
            to,
            new GroupMessage
            {
                Kind = MessageKind.StartEpoch,
                Ballot = step.State.Epoch!.First,
                Index = step.State.EpochIndex,
                EntryBallot = step.State.EndedBallot,
                Epoch = step.State.Epoch,
            }
        );

    /// <summary>Somebody says that an epoch has begun.</summary>
    public static void Start(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        GroupEpoch epoch = message.Epoch!;
        if (!epoch.IsAfter(state.Epoch))
        {
            Answer(step, message.From, epoch);
            return;
        }

        if (state.Recovery is { } agreed && epoch.Generation < agreed.Next.Generation)
        {
            // Whoever says that was not asked, or is not heard any more.
            return;
        }

        if (epoch.Number == 1)
        {
            // Born means synced by all: so by this store, too.
            if (epoch.Equals(state.Birth))
            {
                (state.EndedBallot, state.HasEnd) = (default, true);
                Enter(step, epoch, 0);
            }

            return;
        }

        bool hasIt =
            state.Epoch is not null
            && state.Epoch.Generation == epoch.Generation
            && state.Epoch.Number + 1 == epoch.Number
            && state.EndsInNext
            && state.LastIndex == message.Index
            && state.LastBallot == message.EntryBallot;
        if (hasIt)
        {
            End(step);
        }
        else if (epoch.PositionOf(state.Self) >= 0)
        {
            DropForeign(step, epoch);
            state.Gone = state.Epoch is null && !epoch.Equals(state.Fetching) ? (byte)0 : state.Gone;
            (state.Fetching, state.FetchingIndex) = (epoch, message.Index);
            step.Do(ActionKind.Fetch, message.Index, 0, -1, epoch);
        }
        else if (state.Epoch is not null || state.Recovery is not null)
        {
            // It left without having seen the end: what it has is kept, but is not the state at Next.
            (state.EndedBallot, state.HasEnd) = (message.EntryBallot, false);
            Enter(step, epoch, message.Index);
        }
        else if (state.Fetching is { } fetching && epoch.IsAfter(fetching) && HasServer(fetching, message.From.Server))
        {
            // It was to stand in, and all that it knows may have gone on without it: who leads now tells whether its
            // data may go. Only servers of which it did not know are asked, and what they say is not passed on.
            Ask(step, fetching, state.FetchingIndex, epoch, fetching);
        }
    }

    /// <summary>The state at the beginning of an epoch was fetched and written; it is in the place of all that was
    /// here behind what is applied.</summary>
    public static void Installed(in GroupStep step, GroupEpoch epoch, ulong index)
    {
        GroupState state = step.State;
        if (!epoch.Equals(state.Fetching) || !epoch.IsAfter(state.Epoch))
        {
            return;
        }

        (state.EndedBallot, state.HasEnd) = (default, true);
        Enter(step, epoch, index);
    }

    /// <summary>Who left asks whether its data may go: what it was told of that may be lost, and nobody else begins to
    /// speak of it again.</summary>
    /// <param name="step">The step.</param>
    /// <param name="planned">Who should have the group, whichever stores are there: all that are known here may have
    /// been replaced since.</param>
    public static void Leave(in GroupStep step, GroupEpoch? planned)
    {
        GroupState state = step.State;
        if (state.Role == GroupRole.Ended && (!state.IsDropped || state.IsInMemory))
        {
            // In memory: also whether there is anybody yet, or it may begin anew.
            TellMembers(step);
            Ask(step, state.Epoch!, state.EpochIndex, planned);
        }
        else if (state is { Epoch: null, Fetching: { } fetching })
        {
            // It was to stand in for somebody, and nobody may need that any more.
            Ask(step, fetching, state.FetchingIndex, fetching);
            Ask(step, fetching, state.FetchingIndex, planned);
        }
    }

    /// <summary>Something is said to another store of this server, which had the group: who says it may know nobody
    /// else.</summary>
    public static void AnswerForOther(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        GroupEpoch? epoch = message.Kind switch
        {
            MessageKind.StartEpoch => message.Epoch,
            MessageKind.Recover or MessageKind.RecoverAccepted => message.Recovery!.Next,
            _ => null,
        };
        bool isMeant = message.To.Server == state.Self.Server && message.From != state.Self;
        if (isMeant && epoch is not null && state.Epoch is not null && !epoch.IsAfter(state.Epoch))
        {
            Answer(step, message.From, epoch);
        }
    }

    /// <summary>When all members are whole, who left may drop its data.</summary>
    public static void Settle(in GroupStep step)
    {
        if (IsSettled(step.State))
        {
            foreach (StoreId member in step.State.Epoch!.Leaving)
            {
                TellSettled(step, member);
            }
        }
    }

    /// <summary>All members of an epoch are whole.</summary>
    public static void Started(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        GroupEpoch epoch = message.Epoch!;
        if (
            epoch.PositionOf(state.Self) >= 0
            || (state.Epoch is not null && state.Epoch.IsAfter(epoch))
            || state.Recovery?.Next.IsAfter(epoch) == true
        )
        {
            return;
        }

        if (state.Epoch is null)
        {
            // Of a state that it was to have it may have parts.
            if (state.Fetching is not null && !state.Fetching.IsAfter(epoch))
            {
                (state.Fetching, state.FetchingIndex) = (null, 0);
                step.Do(ActionKind.Drop);
            }

            return;
        }

        if (epoch.IsAfter(state.Epoch))
        {
            Start(step, message);
        }

        if (!state.IsDropped)
        {
            state.IsDropped = true;
            step.Do(ActionKind.WriteEpoch, state.EpochIndex, 0, -1, state.Epoch);
            step.Do(ActionKind.Drop);
        }
    }

    private static bool HasBanned(GroupEpoch epoch, GroupEpoch planned)
    {
        foreach (StoreId member in planned.Members)
        {
            if (epoch.IsBanned(member))
            {
                return true;
            }
        }

        return false;
    }

    // What is applied here is a part of a state of a later generation only if it was compared when that was made, by
    // agreeing to it. Otherwise it may be what was given up.
    private static void DropForeign(in GroupStep step, GroupEpoch epoch)
    {
        GroupState state = step.State;
        if (state.Epoch is null || state.IsDropped || state.IsInMemory || epoch.Generation == 0)
        {
            // One in memory has no part in two generations at once.
            return;
        }

        bool isCompared =
            state.Epoch.Generation == epoch.Generation || state.Recovery?.Next.Generation == epoch.Generation;
        if (state.HasEnd && isCompared)
        {
            return;
        }

        step.Follow();
        (state.Role, state.Leader, state.HearsLeader) = (GroupRole.Ended, -1, false);
        (state.IsDropped, state.Applied) = (true, 0);
        (state.Recovery, state.IsDecided, state.RecoverAccepted, state.IsRecoverySynced) = (null, false, 0, true);
        step.Do(ActionKind.WriteEpoch, state.EpochIndex, 0, -1, state.Epoch);
        step.Do(ActionKind.Drop);
    }

    private static bool IsSettled(GroupState state) =>
        state.Role == GroupRole.Leader
        && state.Applied >= state.First
        && state.CommitMarks.Whole == (1 << state.Epoch!.Members.Length) - 1;

    private static void TellSettled(in GroupStep step, StoreId to)
    {
        GroupState state = step.State;
        step.Send(
            to,
            new GroupMessage
            {
                Kind = MessageKind.EpochStarted,
                Ballot = state.Ballot,
                Index = state.EpochIndex,
                EntryBallot = state.EndedBallot,
                Epoch = state.Epoch,
            }
        );
    }

    // Says what is known here to servers that may know more.
    private static void Ask(
        in GroupStep step,
        GroupEpoch epoch,
        ulong index,
        GroupEpoch? servers,
        GroupEpoch? except = null
    )
    {
        if (servers is null)
        {
            return;
        }

        var message = new GroupMessage
        {
            Kind = MessageKind.StartEpoch,
            Ballot = epoch.First,
            Index = index,
            EntryBallot = epoch == step.State.Epoch ? step.State.EndedBallot : default,
            Epoch = epoch,
        };
        foreach (StoreId member in servers.Members)
        {
            if (member.Server != step.State.Self.Server && !HasServer(except, member.Server))
            {
                step.Send(member, message);
            }
        }
    }

    private static bool HasServer(GroupEpoch? epoch, Coordinate server)
    {
        foreach (StoreId member in epoch is null ? [] : epoch.Members)
        {
            if (member.Server == server)
            {
                return true;
            }
        }

        return false;
    }

    // Somebody speaks of an epoch that is known here, or of one before it.
    private static void Answer(in GroupStep step, StoreId from, GroupEpoch epoch)
    {
        GroupState state = step.State;
        if (state.Epoch!.IsAfter(epoch) || (state.Epoch.PositionOf(from) < 0 && IsSettled(state)))
        {
            AnswerEarlier(step, from);
        }
    }

    /// <summary>Somebody speaks of an epoch before the one that is known here: it learns of that, or that its data may
    /// go.</summary>
    public static void AnswerEarlier(in GroupStep step, StoreId from)
    {
        if (step.State.Epoch!.PositionOf(from) < 0 && IsSettled(step.State))
        {
            TellSettled(step, from);
        }
        else
        {
            Tell(step, from);
        }
    }

    /// <summary>Goes on in an epoch, behind the index at which it begins.</summary>
    public static void Enter(in GroupStep step, GroupEpoch epoch, ulong index)
    {
        GroupState state = step.State;
        step.Follow();
        state.Epoch = epoch;
        state.EpochIndex = state.BaseIndex = index;
        state.Ballot = epoch.First;

        // Next may have another ballot at each member that has it; from here on it has one.
        state.BaseBallot = state.Ballot;
        (state.BaseMarks, state.CommitMarks) = (epoch.Marks, epoch.Marks);
        (state.Voted, state.Leader, state.HearsLeader, state.IsPromiseSynced) = (-1, -1, false, false);

        // Who proposed this epoch gave up before that what a promise of the one before is for.
        (state.Held, state.Gone) = (default, 0);
        state.Log.Clear();
        (state.SyncedIndex, state.Match, state.Commit) = (index, index, index);
        state.Applied = Math.Min(state.Applied, index);
        (state.Fetching, state.FetchingIndex, state.Planned, state.IsDropped) = (null, 0, null, false);
        (state.Birth, state.BirthAccepted, state.IsBirthSynced) = (null, 0, true);
        (state.Recovery, state.IsDecided, state.RecoverAccepted, state.IsRecoverySynced) = (null, false, 0, true);
        state.Role = state.Position < 0 ? GroupRole.Ended : GroupRole.Follower;
        step.Do(ActionKind.WriteEpoch, index, 0, -1, epoch);
    }
}
