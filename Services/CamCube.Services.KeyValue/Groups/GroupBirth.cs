namespace CamCube.Services.KeyValue.Groups;

/// <summary>
/// The first epoch. It needs all planned members, blank for this group, one of them with a store of the first start; it
/// is born when all have it synced, and nobody does anything in it before it knows that. Who has not synced a birth may
/// refuse it: then it never was.
/// </summary>
internal static class GroupBirth
{
    /// <summary>Asks the planned servers for their stores.</summary>
    public static void Plan(in GroupStep step, GroupEpoch planned)
    {
        GroupState state = step.State;
        if (state.Epoch is not null || state.Birth is not null)
        {
            Repeat(step);
            return;
        }

        if (state.IsInMemory && state.Fetching is not null)
        {
            // It is a member of an epoch that is there.
            return;
        }

        int self = IndexOf(planned.Members, state.Self.Server);
        if (self < 0)
        {
            return;
        }

        StoreId[] stores = new StoreId[planned.Members.Length];
        for (int member = 0; member < stores.Length; member++)
        {
            stores[member] = new StoreId(planned.Members[member].Server, 0);
        }

        stores[self] = state.Self;
        state.Planned = Of(stores, planned.Mode);
        state.PlannedFounding = (byte)(state.IsFounding ? 1 << self : 0);
        foreach (StoreId store in stores)
        {
            if (store.Incarnation == 0)
            {
                step.Send(store, new GroupMessage { Kind = MessageKind.AskBlank, Epoch = state.Planned });
            }
        }

        Offer(step);
    }

    /// <summary>Says again what the others need to know to end the birth.</summary>
    public static void Repeat(in GroupStep step)
    {
        GroupState state = step.State;
        if (state.Epoch is not null || state.Birth is null || !state.IsBirthSynced)
        {
            return;
        }

        foreach (StoreId member in state.Birth.Members)
        {
            if (member != state.Self)
            {
                // Its ballot, so that a member that is gone can be told of.
                var ballot = new Ballot(state.Birth.Generation, 1, 0);
                var message = new GroupMessage
                {
                    Kind = MessageKind.Birth,
                    Ballot = ballot,
                    Epoch = state.Birth,
                };
                step.Send(member, message);
                step.Send(member, message with { Kind = MessageKind.BirthAccepted });
            }
        }
    }

    /// <summary>Refuses a birth, if it may: who has it synced may not, unless another member has refused it.</summary>
    public static void Refuse(in GroupStep step, GroupEpoch birth)
    {
        GroupState state = step.State;
        if (state.Epoch is not null || birth.Equals(state.Birth) || birth.PositionOf(state.Self) < 0)
        {
            return;
        }

        if (!state.Refused.Contains(birth))
        {
            state.Refused.Add(birth);
            step.WriteBirth();
        }
        else if (state.IsBirthSynced)
        {
            TellRefused(step, birth);
        }
    }

    public static void Receive(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        switch (message.Kind)
        {
            case MessageKind.AskBlank:
                AnswerBlank(step, message);
                break;
            case MessageKind.IsKnown:
                state.Planned = null;
                break;
            case MessageKind.IsBlank when state.Planned is not null && state.Birth is null:
                Blank(step, message);
                break;
            case MessageKind.Birth:
                Take(step, message);
                break;
            case MessageKind.BirthAccepted:
                Accepted(step, message);
                break;
            case MessageKind.BirthRefused:
                Refused(step, message);
                break;
            default:
                break;
        }
    }

    /// <summary>What was written of births is durable.</summary>
    public static void Synced(in GroupStep step)
    {
        GroupState state = step.State;
        foreach (GroupEpoch refused in state.Refused)
        {
            TellRefused(step, refused);
        }

        if (state.Birth is not null && state.Epoch is null)
        {
            state.BirthAccepted |= (byte)(1 << state.Birth.PositionOf(state.Self));
            Repeat(step);
            End(step);
        }
    }

    private static void AnswerBlank(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        if (message.To.Server != state.Self.Server)
        {
            return;
        }

        bool isBlank = state.Epoch is null && state.Birth is null && !(state.IsInMemory && state.Fetching is not null);
        step.Send(
            message.From,
            new GroupMessage
            {
                Kind = isBlank ? MessageKind.IsBlank : MessageKind.IsKnown,
                Index = isBlank && state.IsFounding ? 1u : 0,
            }
        );
        Repeat(step);
    }

    private static void Blank(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        StoreId[] stores = [.. state.Planned!.Members];
        int member = IndexOf(stores, message.From.Server);
        if (member < 0 || stores[member].Incarnation != 0)
        {
            return;
        }

        stores[member] = message.From;
        state.Planned = Of(stores, state.Planned.Mode);
        state.PlannedFounding |= (byte)(message.Index << member);
        Offer(step);
    }

    private static void Offer(in GroupStep step)
    {
        GroupState state = step.State;
        foreach (StoreId store in state.Planned!.Members)
        {
            if (store.Incarnation == 0)
            {
                return;
            }
        }

        GroupEpoch birth = state.Planned;
        state.Planned = null;
        bool isBlank = !(state.IsInMemory && state.Fetching is not null);
        if (isBlank && state.PlannedFounding != 0 && !state.Refused.Contains(birth))
        {
            // The others are told when it is synced here: so what goes wrong before has told nobody.
            (state.Birth, state.BirthAccepted) = (birth, 0);
            step.WriteBirth();
        }
    }

    private static void Take(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        GroupEpoch birth = message.Epoch!;
        if (birth.PositionOf(state.Self) < 0)
        {
            return;
        }

        if (state.IsInMemory && (state.Epoch ?? state.Fetching) is { } other && other.Generation != birth.Generation)
        {
            // By this store it never will be.
            if (!state.Refused.Contains(birth))
            {
                state.Refused.Add(birth);
            }

            TellRefused(step, birth);
        }
        else if (state.Epoch is not null)
        {
            if (!state.Refused.Contains(birth))
            {
                GroupEpochs.Tell(step, message.From);
            }
        }
        else if (state.Refused.Contains(birth))
        {
            Refuse(step, birth);
        }
        else if (state.Birth is null)
        {
            (state.Birth, state.BirthAccepted, state.Planned) = (birth, 0, null);
            step.WriteBirth();
        }
        else if (!birth.Equals(state.Birth))
        {
            Refuse(step, birth);
        }
    }

    private static void Accepted(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        int from = message.Epoch!.PositionOf(message.From);
        if (state.Epoch is null && from >= 0 && message.Epoch.Equals(state.Birth))
        {
            state.BirthAccepted |= (byte)(1 << from);
            End(step);
        }
    }

    private static void Refused(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        GroupEpoch birth = message.Epoch!;
        if (state.Epoch is null && birth.Equals(state.Birth) && birth.PositionOf(message.From) >= 0)
        {
            (state.Birth, state.BirthAccepted) = (null, 0);
            Refuse(step, birth);
        }
    }

    /// <summary>Born, once all have accepted it; in memory all whose store is not over, if they are a majority: they
    /// were blank when they were asked, too.</summary>
    public static void End(in GroupStep step)
    {
        GroupState state = step.State;
        int all = (1 << state.Birth!.Members.Length) - 1;
        if (state.IsBirthSynced && (state.BirthAccepted | state.Gone) == all)
        {
            (state.EndedBallot, state.HasEnd) = (default, true);
            GroupEpochs.Enter(step, state.Birth, 0);

            // What a member said before its disk was replaced is known to who heard it only.
            foreach (StoreId member in state.Epoch!.Members)
            {
                if (member != state.Self)
                {
                    GroupEpochs.Tell(step, member);
                }
            }
        }
    }

    private static void TellRefused(in GroupStep step, GroupEpoch birth)
    {
        foreach (StoreId member in birth.Members)
        {
            if (member != step.State.Self)
            {
                step.Send(member, new GroupMessage { Kind = MessageKind.BirthRefused, Epoch = birth });
            }
        }
    }

    private static GroupEpoch Of(StoreId[] stores, GroupMode mode) =>
        new(
            1,
            stores,
            new GroupMarks(0, (byte)((1 << stores.Length) - 1)),
            default,
            mode,
            mode.IsInMemory ? GroupMemory.GenerationOf(stores) : 0
        );

    private static int IndexOf(ReadOnlySpan<StoreId> stores, Coordinate server)
    {
        for (int i = 0; i < stores.Length; i++)
        {
            if (stores[i].Server == server)
            {
                return i;
            }
        }

        return -1;
    }
}
