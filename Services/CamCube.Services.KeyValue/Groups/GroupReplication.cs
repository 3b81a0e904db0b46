using System.Runtime.InteropServices;

namespace CamCube.Services.KeyValue.Groups;

/// <summary>The log within an epoch: appended by the leader, acknowledged once it is synced, committed by a majority,
/// applied when every member that is not away has it, or at once where a majority is enough.</summary>
internal static class GroupReplication
{
    /// <summary>Won: the log gets an entry of this ballot, so that all before it can be committed. Behind Next there
    /// is no entry: there it is Next itself, again.</summary>
    public static void Lead(in GroupStep step)
    {
        GroupState state = step.State;
        (state.Role, state.Leader, state.Votes) = (GroupRole.Leader, state.Position, 0);
        for (int member = 0; member < state.Epoch!.Members.Length; member++)
        {
            state.Sent[member] = state.Commit;
        }

        if (state.EndsInNext)
        {
            GroupEntry next = state.Log[^1];
            Cut(state, state.LastIndex - 1);
            Add(step, next with { Ballot = state.Ballot });
        }
        else
        {
            Add(step, new GroupEntry(EntryKind.Begin, state.Ballot, 0));
        }

        state.First = state.LastIndex;
        step.Do(ActionKind.Lead, state.First);
        SendAll(step);
    }

    public static void Propose(in GroupStep step, EntryKind kind, ulong data, GroupEpoch? epoch)
    {
        GroupState state = step.State;
        if (state.Role != GroupRole.Leader || state.EndsInNext)
        {
            step.Do(ActionKind.Decline, 0, data);
            return;
        }

        Add(step, new GroupEntry(kind, state.Ballot, data, epoch));
        step.Do(ActionKind.Appended, state.LastIndex, data);
        SendAll(step);
    }

    public static void ProposeMark(in GroupStep step, EntryKind mark, int member)
    {
        GroupState state = step.State;
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)member, (uint)GroupEpoch.MostMembers);
        GroupMarks marks = state.LastMarks;
        bool hasEnd = state.Role == GroupRole.Leader && state.Acked[member] == state.LastIndex;
        bool isSensible = mark switch
        {
            EntryKind.Away => !marks.IsAway(member) && member != state.Position,

            // Who is not away must have all that is applied: so it must have all there is.
            EntryKind.Back => marks.IsAway(member) && hasEnd,
            EntryKind.Whole => !marks.IsAway(member) && !marks.IsWhole(member),
            _ => false,
        };
        if (isSensible && member < (state.Epoch?.Members.Length ?? 0))
        {
            Propose(step, mark, (ulong)member, null);
        }
        else
        {
            step.Do(ActionKind.Decline, 0, (ulong)member);
        }
    }

    public static void Beat(in GroupStep step)
    {
        GroupState state = step.State;
        if (state.Role != GroupRole.Leader)
        {
            return;
        }

        for (int member = 0; member < state.Epoch!.Members.Length; member++)
        {
            if (member == state.Position)
            {
                continue;
            }

            if (state.Acked[member] == 0 && state.Epoch.Number > 1)
            {
                GroupEpochs.Tell(step, state.Epoch.Members[member]);
            }

            state.Sent[member] = state.Acked[member] == 0 ? state.Commit : state.Acked[member];
            SendAppend(step, member);
        }

        GroupEpochs.Settle(step);
    }

    public static void Append(in GroupStep step, in GroupMessage message, int from)
    {
        GroupState state = step.State;
        step.HearLeader(message.Ballot, from);
        ReadOnlySpan<GroupEntry> entries = message.Entries;
        ulong before = message.Index;
        ulong end = before + (ulong)entries.Length;
        if (before < state.BaseIndex)
        {
            // What the log begins behind is committed.
            entries = entries[(int)Math.Min(state.BaseIndex - before, (ulong)entries.Length)..];
            before = state.BaseIndex;
            end = Math.Max(end, before);
        }
        else if (before > state.LastIndex || state.BallotAt(before) != message.EntryBallot)
        {
            step.Send(
                from,
                new GroupMessage
                {
                    Kind = MessageKind.Behind,
                    Ballot = state.Ballot,
                    Index = state.Commit,
                }
            );
            return;
        }

        Join(step, before, entries);
        state.Match = Math.Max(state.Match, end);
        Learn(step, message.Commit, message.Applied);
        Acknowledge(step);
    }

    public static void Accepted(in GroupStep step, in GroupMessage message, int from)
    {
        GroupState state = step.State;
        if (
            state.Role == GroupRole.Leader
            && message.Ballot == state.Ballot
            && message.Index > state.Acked[from]
            && message.Index <= state.LastIndex
        )
        {
            state.Acked[from] = message.Index;
            Advance(step);
        }
    }

    public static void Behind(in GroupStep step, in GroupMessage message, int from)
    {
        GroupState state = step.State;
        if (state.Role != GroupRole.Leader || message.Ballot != state.Ballot || message.Index > state.LastIndex)
        {
            return;
        }

        if (message.Index < state.BaseIndex)
        {
            step.Do(ActionKind.CatchUp, message.Index, 0, from);
            return;
        }

        state.Sent[from] = message.Index;
        SendAppend(step, from);
    }

    /// <summary>The log is durable further than before.</summary>
    public static void Synced(in GroupStep step)
    {
        GroupState state = step.State;
        if (state.Role == GroupRole.Leader)
        {
            if (state.IsPromiseSynced && state.SyncedIndex > state.Acked[state.Position])
            {
                state.Acked[state.Position] = state.SyncedIndex;
                Advance(step);
            }
        }
        else
        {
            Acknowledge(step);
        }
    }

    public static void Trim(in GroupStep step, ulong index)
    {
        GroupState state = step.State;
        ulong last = Math.Min(index, Math.Min(state.Applied, state.SyncedIndex));
        if (state.Role is GroupRole.Unborn or >= GroupRole.Ended || last <= state.BaseIndex)
        {
            return;
        }

        for (ulong i = state.BaseIndex + 1; i <= last; i++)
        {
            state.BaseMarks = state.BaseMarks.After(state.EntryAt(i));
        }

        (Ballot ballot, int count) = (state.BallotAt(last), (int)(last - state.BaseIndex));
        (state.BaseIndex, state.BaseBallot) = (last, ballot);
        state.Log.RemoveRange(0, count);
    }

    /// <summary>All up to an index is here, applied elsewhere: the log goes on from there.</summary>
    public static void Jump(in GroupStep step, ulong index, Ballot ballot, GroupMarks marks)
    {
        GroupState state = step.State;
        if (state.Role is GroupRole.Unborn or GroupRole.Leader or >= GroupRole.Ended || index <= state.Applied)
        {
            return;
        }

        if (index >= state.BaseIndex && index <= state.LastIndex && state.BallotAt(index) == ballot)
        {
            // It has the entries, too. What it knew of them is less than what is known now.
            state.Match = Math.Max(state.Match, index);
            Learn(step, index, index);
            return;
        }

        state.Log.Clear();
        (state.BaseIndex, state.BaseBallot) = (index, ballot);
        (state.BaseMarks, state.CommitMarks) = (marks, marks);
        (state.SyncedIndex, state.Match, state.Commit, state.Applied) = (0, index, index, index);
        step.Do(ActionKind.WriteJump, index);
    }

    private static void Join(in GroupStep step, ulong before, ReadOnlySpan<GroupEntry> entries)
    {
        GroupState state = step.State;
        ulong first = 0;
        for (int i = 0; i < entries.Length; i++)
        {
            ulong index = before + 1 + (ulong)i;
            if (index <= state.LastIndex)
            {
                if (state.BallotAt(index) == entries[i].Ballot)
                {
                    continue;
                }

                if (index <= state.Commit)
                {
                    // No leader says that; whoever did is not listened to.
                    break;
                }

                Cut(state, index - 1);
            }

            state.Log.Add(entries[i]);
            first = first == 0 ? index : first;
        }

        if (first > 0)
        {
            step.Do(ActionKind.WriteEntries, first);
        }
    }

    private static void Add(in GroupStep step, in GroupEntry entry)
    {
        step.State.Log.Add(entry);
        step.Do(ActionKind.WriteEntries, step.State.LastIndex);
    }

    private static void Cut(GroupState state, ulong last)
    {
        state.Log.RemoveRange((int)(last - state.BaseIndex), (int)(state.LastIndex - last));
        state.SyncedIndex = Math.Min(state.SyncedIndex, last);
        state.Match = Math.Min(state.Match, last);
    }

    private static void SendAll(in GroupStep step)
    {
        GroupState state = step.State;
        for (int member = 0; member < state.Epoch!.Members.Length; member++)
        {
            if (member != state.Position)
            {
                SendAppend(step, member);
            }
        }
    }

    private static void SendAppend(in GroupStep step, int member)
    {
        GroupState state = step.State;
        ulong before = Math.Max(state.Sent[member], state.BaseIndex);
        state.Sent[member] = state.LastIndex;
        step.Send(
            member,
            new GroupMessage
            {
                Kind = MessageKind.Append,
                Ballot = state.Ballot,
                Index = before,
                EntryBallot = state.BallotAt(before),
                Commit = state.Commit,
                Applied = state.Applied,
                Entries = state.LastIndex > before ? EntriesBehind(state, before) : null,
            }
        );
    }

    private static GroupEntry[] EntriesBehind(GroupState state, ulong index) =>
        CollectionsMarshal.AsSpan(state.Log)[(int)(index - state.BaseIndex)..].ToArray();

    private static void Acknowledge(in GroupStep step)
    {
        GroupState state = step.State;
        ulong index = Math.Min(state.SyncedIndex, state.Match);
        if (state.Role != GroupRole.Follower || state.Leader < 0 || !state.IsPromiseSynced || index == 0)
        {
            return;
        }

        step.Send(
            state.Leader,
            new GroupMessage
            {
                Kind = MessageKind.Accepted,
                Ballot = state.Ballot,
                Index = index,
            }
        );
    }

    private static void Advance(in GroupStep step)
    {
        GroupState state = step.State;
        for (ulong index = state.LastIndex; index > state.Commit; index--)
        {
            // An entry of an earlier ballot is committed with one of this ballot behind it, never by counting.
            if (state.BallotAt(index) != state.Ballot)
            {
                break;
            }

            uint with = 0;
            for (int member = 0; member < state.Epoch!.Members.Length; member++)
            {
                with |= state.Acked[member] >= index ? 1u << member : 0;
            }

            if (state.Epoch.IsMajority(with))
            {
                CommitTo(step, index);
                break;
            }
        }

        ApplyAll(step);
        if (state.EndsInNext && state.Commit == state.LastIndex)
        {
            GroupEpochs.End(step);
        }
    }

    private static void ApplyAll(in GroupStep step)
    {
        GroupState state = step.State;

        // Away excuses once it is committed; back asks for the member's word at once.
        int excused = state.CommitMarks.Away & state.LastMarks.Away;
        ulong applied = state.Commit;
        for (int member = 0; !state.Epoch!.Mode.IsByMajority && member < state.Epoch.Members.Length; member++)
        {
            applied = (excused >> member & 1) != 0 ? applied : Math.Min(applied, state.Acked[member]);
        }

        ApplyTo(step, applied);
    }

    private static void Learn(in GroupStep step, ulong commit, ulong applied)
    {
        GroupState state = step.State;
        CommitTo(step, Math.Min(commit, state.Match));
        ApplyTo(step, Math.Min(applied, state.Match));
        if (state.EndsInNext && state.Commit == state.LastIndex)
        {
            GroupEpochs.End(step);
        }
    }

    private static void CommitTo(in GroupStep step, ulong index)
    {
        GroupState state = step.State;
        if (index <= state.Commit)
        {
            return;
        }

        for (ulong i = state.Commit + 1; i <= index; i++)
        {
            state.CommitMarks = state.CommitMarks.After(state.EntryAt(i));
        }

        state.Commit = index;
        step.Do(ActionKind.Commit, index);
    }

    private static void ApplyTo(in GroupStep step, ulong index)
    {
        GroupState state = step.State;
        if (index > state.Applied)
        {
            state.Applied = index;
            step.Do(ActionKind.Apply, index);
        }
    }
}
