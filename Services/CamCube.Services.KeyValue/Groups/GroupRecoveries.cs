namespace CamCube.Services.KeyValue.Groups;

/// <summary>
/// A new generation, by hand, when a majority of the members is gone for good. The base is who decides it: it is asked
/// first, asks all members that are left and all new ones, and goes on alone when all of them have agreed and that is
/// durable. Who has agreed does nothing in the generation before, so what was compared stays as it was. A store agrees
/// only if it has no more than the base, and if no majority of an epoch that it knows is left, or nobody who is left
/// has anything: so what was neither lost nor asked is not overruled.
/// </summary>
internal static class GroupRecoveries
{
    /// <summary>Somebody asks to agree.</summary>
    public static void Take(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        GroupRecovery recovery = message.Recovery!;
        if (recovery.Equals(state.Recovery))
        {
            Say(step);
            return;
        }

        if (!recovery.Next.IsAfter(state.Epoch))
        {
            // It is over, or there was another one.
            GroupEpochs.Tell(step, message.From);
            return;
        }

        if (state.IsInMemory || !IsSound(state, recovery) || !MayChange(state, recovery, message))
        {
            return;
        }

        step.Follow();
        (state.Role, state.Leader, state.HearsLeader, state.Held) = (GroupRole.Sealed, -1, false, default);
        (state.Fetching, state.FetchingIndex, state.Planned) = (null, 0, null);
        (state.Birth, state.BirthAccepted, state.IsBirthSynced) = (null, 0, true);
        (state.Recovery, state.IsDecided, state.RecoverAccepted) = (recovery, false, 0);
        step.WriteRecovery();
    }

    /// <summary>Another one has agreed.</summary>
    public static void Accepted(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        if (message.Recovery!.Equals(state.Recovery) && state.Recovery.PlaceOf(message.From) is >= 0 and int place)
        {
            state.RecoverAccepted |= (byte)(1 << place);
            Decide(step);
        }
        else if (state.Epoch is not null && !message.Recovery.Next.IsAfter(state.Epoch))
        {
            // It is over, and who agreed was not told.
            GroupEpochs.Tell(step, message.From);
        }
    }

    /// <summary>What was written of it is durable.</summary>
    public static void Synced(in GroupStep step)
    {
        GroupState state = step.State;
        if (state.Recovery is { } recovery)
        {
            state.RecoverAccepted |= (byte)(1 << recovery.PlaceOf(state.Self));
            Say(step);
        }
    }

    /// <summary>Asks again, or says again.</summary>
    /// <param name="step">The step.</param>
    /// <param name="planned">Who should have the group, whichever stores are there: those that were asked may all have
    /// been replaced since.</param>
    public static void Repeat(in GroupStep step, GroupEpoch? planned)
    {
        GroupState state = step.State;
        if (state.Recovery is not { } recovery)
        {
            return;
        }

        Say(step);
        for (int place = 0; state.IsRecoverySynced && place < planned?.Members.Length; place++)
        {
            if (planned.Members[place].Server != state.Self.Server)
            {
                var message = new GroupMessage { Kind = MessageKind.RecoverAccepted, Recovery = recovery };
                step.Send(planned.Members[place], message);
            }
        }
    }

    private static void Say(in GroupStep step)
    {
        GroupState state = step.State;
        GroupRecovery recovery = state.Recovery!;
        if (!state.IsRecoverySynced)
        {
            return;
        }

        if (recovery.Base != state.Self)
        {
            step.Send(recovery.Base, new GroupMessage { Kind = MessageKind.RecoverAccepted, Recovery = recovery });
            return;
        }

        for (int place = 0; place < recovery.Asked.Length; place++)
        {
            if ((state.RecoverAccepted >> place & 1) == 0)
            {
                step.Send(
                    recovery.Asked[place],
                    new GroupMessage
                    {
                        Kind = MessageKind.Recover,
                        Round = state.RecoverAccepted,
                        Recovery = recovery,
                    }
                );
            }
        }

        Decide(step);
    }

    // Nobody hears of it before it is durable that it is decided: until then the base may agree to another one.
    private static void Decide(in GroupStep step)
    {
        GroupState state = step.State;
        GroupRecovery recovery = state.Recovery!;
        if (recovery.Base != state.Self || !state.IsRecoverySynced)
        {
            return;
        }

        if (state.IsDecided)
        {
            (state.EndedBallot, state.HasEnd) = (recovery.Ballot, true);
            GroupEpochs.Enter(step, recovery.Next, recovery.Index);
            GroupEpochs.TellMembers(step);
        }
        else if (state.RecoverAccepted == recovery.All)
        {
            state.IsDecided = true;
            step.WriteRecovery();
        }
    }

    // Whether it overrules nothing that is known here.
    private static bool IsSound(GroupState state, GroupRecovery recovery)
    {
        GroupEpoch next = recovery.Next;
        (Ballot ballot, ulong index) = state.Extent;

        // Who has nothing has as much as one that does not know yet that it was born.
        ballot = index == 0 ? default : ballot;
        int order = ballot.CompareTo(recovery.Index == 0 ? default : recovery.Ballot);
        order = order != 0 ? order : index.CompareTo(recovery.Index);
        bool isWithin = recovery.Base == state.Self ? order == 0 : order <= 0;
        if (
            !isWithin
            || recovery.PlaceOf(state.Self) < 0
            || next.IsBanned(state.Self)
            || next.PositionOf(recovery.Base) < 0
            || next.Generation <= (state.Epoch?.Generation ?? 0)
        )
        {
            return false;
        }

        foreach (StoreId member in next.Members)
        {
            // Who would be a member may be told of another epoch of the generation before: not once it has agreed.
            if (recovery.PlaceOf(member) < 0)
            {
                return false;
            }
        }

        if (state.Epoch is not { } epoch || epoch.Number < next.Number - 1)
        {
            return true;
        }

        int left = 0;
        foreach (StoreId member in epoch.Members)
        {
            left += next.IsBanned(member) ? 0 : 1;
            if (!next.IsBanned(member) && recovery.PlaceOf(member) < 0)
            {
                return false;
            }
        }

        // Or nobody who is left has anything, as each says for itself: what a majority had decided one of them would
        // have, or all who had it are lost.
        return epoch.Number < next.Number && (left < epoch.Majority || recovery.Index == 0);
    }

    // Whether the one that was agreed to before cannot have been decided.
    private static bool MayChange(GroupState state, GroupRecovery recovery, in GroupMessage message)
    {
        if (state.Recovery is not { } before)
        {
            return true;
        }

        bool isLater = recovery.Next.Generation > before.Next.Generation;
        if (state.IsDecided || recovery.Next.Generation < before.Next.Generation)
        {
            return false;
        }

        if (before.Base == state.Self)
        {
            // It decides that one itself, and has not.
            return recovery.Base == state.Self || isLater || recovery.GoesBefore(before);
        }

        // Or its base says that it has agreed to this one instead, or is lost.
        int place = recovery.PlaceOf(before.Base);
        return (recovery.Base == before.Base && message.From == before.Base)
            || (isLater && recovery.Next.IsBanned(before.Base))
            || (place >= 0 && (message.Round >> place & 1) != 0);
    }
}
