namespace CamCube.Services.KeyValue.Groups;

/// <summary>One step: the state it changes and the actions it says, for the parts of <see cref="GroupCore"/>.</summary>
internal readonly struct GroupStep(GroupState state, List<GroupAction> actions)
{
    public GroupState State => state;

    /// <summary>Sends to a member of the epoch.</summary>
    public void Send(int member, in GroupMessage message) => Send(state.Epoch!.Members[member], message);

    public void Send(StoreId to, in GroupMessage message) =>
        actions.Add(new GroupAction { Kind = ActionKind.Send, Message = message with { From = state.Self, To = to } });

    /// <summary>Sends to all members of the epoch but this one.</summary>
    public void SendOthers(in GroupMessage message)
    {
        int self = state.Position;
        for (int member = 0; member < state.Epoch!.Members.Length; member++)
        {
            if (member != self)
            {
                Send(member, message);
            }
        }
    }

    public void Do(ActionKind kind, ulong index = 0, ulong data = 0, int member = -1, GroupEpoch? epoch = null) =>
        actions.Add(
            new GroupAction
            {
                Kind = kind,
                Index = index,
                Data = data,
                Position = member,
                Epoch = epoch,
            }
        );

    public void WritePromise()
    {
        state.IsPromiseSynced = false;
        Do(ActionKind.WritePromise);
    }

    public void WriteBirth()
    {
        state.IsBirthSynced = false;
        Do(ActionKind.WriteBirth);
    }

    public void WriteRecovery()
    {
        state.IsRecoverySynced = false;
        Do(ActionKind.WriteRecovery);
    }

    /// <summary>If anything was written, one sync for all of it comes last.</summary>
    public void End(int from)
    {
        for (int i = from; i < actions.Count; i++)
        {
            if (actions[i].Kind is >= ActionKind.WritePromise and <= ActionKind.WriteJump)
            {
                actions.Add(new GroupAction { Kind = ActionKind.Sync, Sync = state.Written });
                return;
            }
        }
    }

    /// <summary>Promises a later ballot of the same epoch.</summary>
    public void Adopt(Ballot ballot)
    {
        Follow();
        (state.Ballot, state.Voted, state.Leader, state.Match) = (ballot, -1, -1, state.Commit);
        WritePromise();
    }

    /// <summary>A leader of this ballot, or a later one of the epoch, is heard.</summary>
    public void HearLeader(Ballot ballot, int from)
    {
        if (ballot > state.Ballot)
        {
            Adopt(ballot);
        }
        else if (state.Role != GroupRole.Follower)
        {
            Follow();
        }

        (state.Leader, state.HearsLeader) = (from, true);
    }

    /// <summary>Neither leads nor stands any more.</summary>
    public void Follow()
    {
        if (state.Role == GroupRole.Leader)
        {
            Do(ActionKind.Resign);
        }

        (state.Role, state.Votes, state.First, state.ReadRound, state.ReadAnswered) = (GroupRole.Follower, 0, 0, 0, 0);
        (state.Acked, state.Sent, state.Confirmed) = (default, default, default);
        (state.HasOffered, state.OfferedTerm) = (false, 0);
    }
}
