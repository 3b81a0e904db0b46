namespace CamCube.Services.KeyValue.Groups;

/// <summary>Reads that a majority confirms: what was applied when they came is the least they may see, if nobody led
/// after this leader then.</summary>
internal static class GroupReads
{
    public static void Note(in GroupStep step)
    {
        GroupState state = step.State;

        // Committed is not enough: what an earlier leader applied and told is applied here only with the first entry
        // of this one.
        if (state.Role != GroupRole.Leader || state.Applied < state.First)
        {
            step.Do(ActionKind.Decline);
            return;
        }

        state.ReadRound++;
        state.Confirmed[state.Position] = state.ReadRound;
        step.Do(ActionKind.ReadNoted, state.Applied, state.ReadRound);
        step.SendOthers(
            new GroupMessage
            {
                Kind = MessageKind.Confirm,
                Ballot = state.Ballot,
                Index = state.MayLease ? 1u : 0,
                Round = state.ReadRound,
            }
        );
        Answer(step);
    }

    public static void Confirm(in GroupStep step, in GroupMessage message, int from)
    {
        GroupState state = step.State;
        step.HearLeader(message.Ballot, from);
        if (message.Index != 0)
        {
            // The promise begins before it is said.
            state.Held = message.Ballot;
            step.Do(ActionKind.Hold);
        }

        step.Send(
            from,
            new GroupMessage
            {
                Kind = MessageKind.Confirmed,
                Ballot = message.Ballot,
                Round = message.Round,
            }
        );
    }

    public static void Confirmed(in GroupStep step, in GroupMessage message, int from)
    {
        GroupState state = step.State;
        if (state.Role == GroupRole.Leader && message.Ballot == state.Ballot && message.Round > state.Confirmed[from])
        {
            state.Confirmed[from] = message.Round;
            Answer(step);
        }
    }

    /// <summary>The time is over for which nobody else than a leader was to be voted for.</summary>
    public static void Release(in GroupStep step) => step.State.Held = default;

    private static void Answer(in GroupStep step)
    {
        GroupState state = step.State;
        for (ulong round = state.ReadRound; round > state.ReadAnswered; round--)
        {
            uint with = 0;
            for (int member = 0; member < state.Epoch!.Members.Length; member++)
            {
                with |= state.Confirmed[member] >= round ? 1u << member : 0;
            }

            if (state.Epoch.IsMajority(with))
            {
                state.ReadAnswered = round;
                step.Do(ActionKind.ReadConfirmed, round);
                return;
            }
        }
    }
}
