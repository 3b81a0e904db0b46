namespace CamCube.Services.KeyValue.Groups;

/// <summary>
/// The protocol of one replica group: a pure function of a member's state and one event. It has no clock, disk,
/// network or randomness, and keeps nothing between steps. Any thread, one at a time for a state. Within an epoch its
/// rules are Raft's with fixed members; epochs end as in Stoppable Paxos, by an entry after which there is none.
/// </summary>
internal static class GroupCore
{
    /// <summary>Takes one event.</summary>
    /// <param name="state">What the member knows; changed.</param>
    /// <param name="happened">What happened.</param>
    /// <param name="actions">What is to be done, in this order, is added here. Messages may go at once.</param>
    public static void Step(GroupState state, in GroupEvent happened, List<GroupAction> actions)
    {
        var step = new GroupStep(state, actions);
        int from = actions.Count;
        switch (happened.Kind)
        {
            case EventKind.ElectionDue:
                GroupElection.Ask(step);
                break;
            case EventKind.LeaderSilent:
                state.HearsLeader = false;
                break;
            case EventKind.StandDue:
                GroupElection.Stand(step);
                break;
            case EventKind.BeatDue:
                GroupReplication.Beat(step);
                break;
            case EventKind.Received:
                Receive(step, happened.Message);
                break;
            case EventKind.Synced:
                Synced(step, happened.Sync);
                break;
            case EventKind.Propose:
                GroupReplication.Propose(step, EntryKind.Operation, happened.Data, null);
                break;
            case EventKind.ProposeMark:
                GroupReplication.ProposeMark(step, happened.Mark, happened.Position);
                break;
            case EventKind.ProposeNext:
                GroupEpochs.Propose(step, happened.Epoch!);
                break;
            case EventKind.ReadDue:
                GroupReads.Note(step);
                break;
            case EventKind.HoldOver:
                GroupReads.Release(step);
                break;
            case EventKind.HandOverDue:
                GroupElection.HandOver(step, happened.Position);
                break;
            case EventKind.Installed:
                GroupEpochs.Installed(step, happened.Epoch!, happened.Data);
                break;
            case EventKind.Jump:
                GroupReplication.Jump(step, happened.Data, happened.Ballot, happened.Marks);
                break;
            case EventKind.Trim:
                GroupReplication.Trim(step, happened.Data);
                break;
            case EventKind.BirthDue:
                GroupBirth.Plan(step, happened.Epoch!);
                break;
            case EventKind.BirthRepeatDue:
                GroupBirth.Repeat(step);
                break;
            case EventKind.LeaveDue:
                GroupEpochs.Leave(step, happened.Epoch);
                break;
            case EventKind.RefuseBirthDue:
                GroupBirth.Refuse(step, happened.Epoch!);
                break;
            case EventKind.RecoverRepeatDue:
                GroupRecoveries.Repeat(step, happened.Epoch);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(happened), happened.Kind, "no such event");
        }

        step.End(from);
    }

    private static void Synced(in GroupStep step, in GroupSync sync)
    {
        GroupState state = step.State;
        if (!state.IsBirthSynced && Equals(sync.Birth, state.Birth) && sync.Refusals == state.Refused.Count)
        {
            state.IsBirthSynced = true;
            GroupBirth.Synced(step);
        }

        bool isRecovery = Equals(sync.Recovery, state.Recovery) && sync.IsDecided == state.IsDecided;
        if (!state.IsRecoverySynced && isRecovery)
        {
            state.IsRecoverySynced = true;
            GroupRecoveries.Synced(step);
        }

        if (state.Epoch is null || state.Role is GroupRole.Ended or GroupRole.Sealed)
        {
            return;
        }

        bool isSaid = false;
        if (!state.IsPromiseSynced && sync.Ballot == state.Ballot && sync.Voted == state.Voted)
        {
            state.IsPromiseSynced = isSaid = true;
        }

        if (
            sync.Index > state.SyncedIndex
            && sync.Index >= state.BaseIndex
            && sync.Index <= state.LastIndex
            && state.BallotAt(sync.Index) == sync.IndexBallot
        )
        {
            state.SyncedIndex = sync.Index;
        }

        if (isSaid)
        {
            GroupElection.Promised(step);
        }

        GroupReplication.Synced(step);
    }

    private static void Receive(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        if (message.To != state.Self && message.Kind != MessageKind.AskBlank)
        {
            if (state.IsInMemory)
            {
                GroupMemory.Answer(step, message);
            }
            else
            {
                GroupEpochs.AnswerForOther(step, message);
            }

            return;
        }

        if (message.Kind == MessageKind.Gone)
        {
            GroupMemory.Gone(step, message);
            return;
        }

        if (message.Kind < MessageKind.AskBlank && !GroupMemory.IsOurs(step, message))
        {
            return;
        }

        switch (message.Kind)
        {
            case MessageKind.Recover:
                GroupRecoveries.Take(step, message);
                return;
            case MessageKind.RecoverAccepted:
                GroupRecoveries.Accepted(step, message);
                return;
            case >= MessageKind.AskBlank when state.Role == GroupRole.Sealed:
                return;
            case >= MessageKind.AskBlank:
                GroupBirth.Receive(step, message);
                return;
            case MessageKind.StartEpoch:
                GroupEpochs.Start(step, message);
                return;
            case MessageKind.EpochStarted:
                GroupEpochs.Started(step, message);
                return;
            default:
                break;
        }

        if (state.Epoch is null)
        {
            // Born elsewhere, and not heard of here: whoever is born tells it.
            if (state.Birth is not null)
            {
                GroupBirth.Repeat(step);
            }

            return;
        }

        if (
            message.Ballot.Generation < state.Epoch.Generation
            || (message.Ballot.Generation == state.Epoch.Generation && message.Ballot.Epoch < state.Epoch.Number)
        )
        {
            GroupEpochs.Tell(step, message.From);
            return;
        }

        if (state.Role == GroupRole.Sealed)
        {
            // What it may still say of this generation it has said.
            return;
        }

        int from = state.Epoch.PositionOf(message.From);
        bool isOurs =
            state.Role != GroupRole.Ended
            && message.Ballot.Epoch == state.Epoch.Number
            && message.Ballot.Generation == state.Epoch.Generation
            && from >= 0;
        if (message.Kind == MessageKind.Refused)
        {
            if (isOurs && message.Ballot > state.Ballot)
            {
                step.Adopt(message.Ballot);
            }

            return;
        }

        if (!isOurs)
        {
            // Who is of a later epoch tells of it.
            step.Send(message.From, new GroupMessage { Kind = MessageKind.Refused, Ballot = state.Ballot });
            return;
        }

        if (message.Ballot < state.Ballot)
        {
            step.Send(from, new GroupMessage { Kind = MessageKind.Refused, Ballot = state.Ballot });
            return;
        }

        Hear(step, message, from);
    }

    private static void Hear(in GroupStep step, in GroupMessage message, int from)
    {
        switch (message.Kind)
        {
            case MessageKind.PreVote:
                GroupElection.PreVote(step, message, from);
                break;
            case MessageKind.PreVoted:
                GroupElection.PreVoted(step, message, from);
                break;
            case MessageKind.RequestVote:
                GroupElection.RequestVote(step, message, from);
                break;
            case MessageKind.Vote:
                GroupElection.Vote(step, message, from);
                break;
            case MessageKind.HandOver:
                GroupElection.TakeOver(step, message);
                break;
            case MessageKind.Append:
                GroupReplication.Append(step, message, from);
                break;
            case MessageKind.Accepted:
                GroupReplication.Accepted(step, message, from);
                break;
            case MessageKind.Behind:
                GroupReplication.Behind(step, message, from);
                break;
            case MessageKind.Confirm:
                GroupReads.Confirm(step, message, from);
                break;
            case MessageKind.Confirmed:
                GroupReads.Confirmed(step, message, from);
                break;
            default:
                break;
        }
    }
}
