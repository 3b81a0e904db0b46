namespace CamCube.Services.KeyValue.Groups;

/// <summary>Who leads: pre-votes, votes and handing over. A vote is synced before it is said, one's own as well: a
/// candidate that crashed and came back with a shorter log must not be led by votes for the longer one.</summary>
internal static class GroupElection
{
    public static void Ask(in GroupStep step)
    {
        GroupState state = step.State;
        if (!MayStand(state) || state.IsHeld)
        {
            return;
        }

        step.Follow();
        (state.Role, state.Leader, state.HearsLeader) = (GroupRole.PreCandidate, -1, false);
        GroupEpochs.TellMembers(step);
        Count(step, state.Position);
        if (state.Role == GroupRole.PreCandidate)
        {
            step.SendOthers(Standing(state, MessageKind.PreVote, state.Ballot.Next));
        }
    }

    public static void PreVote(in GroupStep step, in GroupMessage message, int from)
    {
        GroupState state = step.State;
        if (message.Ballot == state.Ballot)
        {
            step.Send(from, new GroupMessage { Kind = MessageKind.Refused, Ballot = state.Ballot });
        }
        else if (!state.HearsLeader && !state.IsHeld && state.Role != GroupRole.Leader && IsUpToDate(state, message))
        {
            step.Send(from, new GroupMessage { Kind = MessageKind.PreVoted, Ballot = message.Ballot });
        }
    }

    public static void PreVoted(in GroupStep step, in GroupMessage message, int from)
    {
        if (step.State.Role == GroupRole.PreCandidate && message.Ballot == step.State.Ballot.Next)
        {
            Count(step, from);
        }
    }

    /// <param name="step">The step.</param>
    /// <param name="offered">The term of the leader who offered its place; 0: nobody did.</param>
    public static void Stand(in GroupStep step, uint offered = 0)
    {
        GroupState state = step.State;
        if (!MayStand(state) || (state.IsHeld && offered < state.Held.Term))
        {
            return;
        }

        step.Adopt(state.Ballot.Next);
        state.OfferedTerm = offered;
        (state.Role, state.Voted, state.HearsLeader) = (GroupRole.Candidate, state.Position, false);
    }

    /// <summary>Ballot and vote are durable: what depends on them may be said.</summary>
    public static void Promised(in GroupStep step)
    {
        GroupState state = step.State;
        if (state.Role == GroupRole.Candidate)
        {
            GroupMessage asking = Standing(state, MessageKind.RequestVote, state.Ballot);
            step.SendOthers(asking with { Round = state.OfferedTerm });
            Count(step, state.Position);
        }
        else if (state.Voted >= 0 && state.Voted != state.Position && state.Leader < 0)
        {
            step.Send(state.Voted, new GroupMessage { Kind = MessageKind.Vote, Ballot = state.Ballot });
        }
    }

    public static void RequestVote(in GroupStep step, in GroupMessage message, int from)
    {
        GroupState state = step.State;
        if (state.IsHeld && message.Round < state.Held.Term)
        {
            // A leader may answer reads because nobody else is voted for; unless it gave that up.
            return;
        }

        if (message.Ballot > state.Ballot)
        {
            step.Adopt(message.Ballot);
        }

        if (!IsUpToDate(state, message))
        {
            return;
        }

        if (state.Voted < 0 && state.Leader < 0)
        {
            step.Follow();
            state.Voted = from;
            step.WritePromise();
        }
        else if (state.Voted == from && state.IsPromiseSynced)
        {
            step.Send(from, new GroupMessage { Kind = MessageKind.Vote, Ballot = state.Ballot });
        }
    }

    public static void Vote(in GroupStep step, in GroupMessage message, int from)
    {
        GroupState state = step.State;
        if (state.Role == GroupRole.Candidate && state.IsPromiseSynced && message.Ballot == state.Ballot)
        {
            Count(step, from);
        }
    }

    public static void HandOver(in GroupStep step, int to)
    {
        GroupState state = step.State;
        if (state.Role == GroupRole.Leader && to != state.Position && state.Acked[to] == state.LastIndex)
        {
            state.HasOffered = state.Epoch!.Mode.HasLeases;
            step.Send(to, new GroupMessage { Kind = MessageKind.HandOver, Ballot = state.Ballot });
        }
    }

    public static void TakeOver(in GroupStep step, in GroupMessage message)
    {
        if (message.Ballot == step.State.Ballot)
        {
            Stand(step, step.State.Epoch!.Mode.HasLeases ? message.Ballot.Term : 0);
        }
    }

    private static bool MayStand(GroupState state) =>
        state.Role is GroupRole.Follower or GroupRole.PreCandidate or GroupRole.Candidate && state.Position >= 0;

    private static GroupMessage Standing(GroupState state, MessageKind kind, Ballot ballot) =>
        new()
        {
            Kind = kind,
            Ballot = ballot,
            Index = state.LastIndex,
            EntryBallot = state.LastBallot,
        };

    private static bool IsUpToDate(GroupState state, in GroupMessage message) =>
        message.EntryBallot > state.LastBallot
        || (message.EntryBallot == state.LastBallot && message.Index >= state.LastIndex);

    private static void Count(in GroupStep step, int voter)
    {
        GroupState state = step.State;
        state.Votes |= (byte)(1 << voter);
        if (!state.Epoch!.IsMajority(state.Votes))
        {
            return;
        }

        if (state.Role == GroupRole.PreCandidate)
        {
            Stand(step);
        }
        else
        {
            GroupReplication.Lead(step);
        }
    }
}
