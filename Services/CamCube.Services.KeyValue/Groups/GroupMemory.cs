using System.Numerics;

namespace CamCube.Services.KeyValue.Groups;

/// <summary>
/// Groups in memory. A server that starts has another store, so a store that was replaced is over for good, and with a
/// majority of its stores an epoch is: nothing is ever decided in it again. Whoever learns that forgets the group, and
/// when all planned servers are blank it is born anew, in another generation. No older one can go on then: of its
/// members fewer than half are at servers that are not planned, so one of any majority is at a planned server, and
/// would not be blank.
/// </summary>
/// <remarks>That a store is over is proved by the one in its place, which answers what was said to the other: it began
/// later, because a server has one at a time. The answer has the ballot in which it was asked, so it was asked by
/// somebody who knew that epoch already.</remarks>
internal static class GroupMemory
{
    private const uint Never = uint.MaxValue;

    /// <summary>The generation of a group that is born by these stores: 23 bits that no other birth has, but by chance.
    /// The stores' ids have bits of the system's random numbers in them.</summary>
    public static uint GenerationOf(ReadOnlySpan<StoreId> stores)
    {
        ulong mixed = 0;
        foreach (StoreId store in stores)
        {
            mixed = (mixed ^ store.Incarnation ^ ((ulong)store.Server.Packed << 32)) * 0x9E3779B97F4A7C15;
            mixed ^= mixed >> 29;
        }

        return Math.Max(1, (uint)(mixed >> 41));
    }

    /// <summary>Something is said to another store of this server: who says it learns what became of that.</summary>
    public static void Answer(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        uint generation = message.Ballot.Generation;
        if (
            !state.IsInMemory
            || message.To.Server != state.Self.Server
            || message.To.Incarnation == 0
            || message.Kind == MessageKind.Gone
            || generation == 0
        )
        {
            return;
        }

        if (Known(state)?.Generation != generation)
        {
            SayGone(step, message, isNever: false);
        }
        else if (state.Epoch is { } epoch && epoch.Number > message.Ballot.Epoch)
        {
            GroupEpochs.AnswerEarlier(step, message.From);
        }
    }

    /// <summary>Whether a message of this generation means anything here. If not, and never will, its sender is told
    /// so.</summary>
    public static bool IsOurs(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        if (!state.IsInMemory)
        {
            return true;
        }

        (uint generation, uint number) = (message.Ballot.Generation, message.Ballot.Epoch);
        bool isOver = state.Over.Exists(over => over.Generation == generation && over.Epoch >= number);
        GroupEpoch? known = Known(state);
        if (isOver && state.Epoch?.Generation != generation)
        {
            SayGone(step, message, isNever: true);
            return false;
        }

        if (known is null)
        {
            bool isRefused = message.Epoch is { Number: 1 } birth && state.Refused.Contains(birth);
            if (isRefused)
            {
                SayGone(step, message, isNever: true);
            }

            return !isRefused;
        }

        if (known.Generation == generation)
        {
            return true;
        }

        if (state.Epoch is not null)
        {
            // This store acts in one generation. Who counts on it in another must not wait for it.
            state.Over.Add(new Ballot(generation, Never, 0));
            SayGone(step, message, isNever: true);
        }

        return false;
    }

    /// <summary>A member's store is over.</summary>
    public static void Gone(in GroupStep step, in GroupMessage message)
    {
        GroupState state = step.State;
        if (
            !state.IsInMemory
            || Known(state) is not { } epoch
            || message.Ballot.Generation != epoch.Generation
            || message.Ballot.Epoch != epoch.Number
        )
        {
            return;
        }

        for (int member = 0; member < epoch.Members.Length; member++)
        {
            StoreId store = epoch.Members[member];
            bool isIt = store.Server == message.From.Server && store != state.Self;
            if (isIt && (store != message.From || message.Index != 0))
            {
                state.Gone |= (byte)(1 << member);
            }
        }

        if (epoch.Members.Length - BitOperations.PopCount(state.Gone) < epoch.Majority)
        {
            Forget(step, epoch);
        }
        else if (state.Epoch is null && state.Birth is not null)
        {
            GroupBirth.End(step);
        }
    }

    private static GroupEpoch? Known(GroupState state) => state.Epoch ?? state.Birth ?? state.Fetching;

    private static void SayGone(in GroupStep step, in GroupMessage message, bool isNever) =>
        step.Send(
            message.From,
            new GroupMessage
            {
                Kind = MessageKind.Gone,
                Ballot = message.Ballot,
                Index = isNever ? 1u : 0,
            }
        );

    // What this store promised in it counts for nothing any more, and it says nothing in it again.
    private static void Forget(in GroupStep step, GroupEpoch epoch)
    {
        GroupState state = step.State;
        step.Follow();
        state.Over.RemoveAll(over => over.Generation == epoch.Generation);
        state.Over.Add(new Ballot(epoch.Generation, epoch.Number, 0));
        (state.Epoch, state.Birth, state.Fetching, state.Planned) = (null, null, null, null);
        (state.Role, state.Ballot, state.Voted, state.Leader) = (GroupRole.Unborn, default, -1, -1);
        (state.BaseIndex, state.BaseBallot, state.BaseMarks, state.CommitMarks) = (0, default, default, default);
        (state.EpochIndex, state.EndedBallot, state.HasEnd, state.IsDropped) = (0, default, false, false);
        (state.SyncedIndex, state.Match, state.Commit, state.Applied) = (0, 0, 0, 0);
        (state.FetchingIndex, state.BirthAccepted, state.Gone, state.Held) = (0, 0, 0, default);
        (state.IsPromiseSynced, state.IsBirthSynced, state.HearsLeader) = (true, true, false);
        state.Log.Clear();
        step.Do(ActionKind.Forget);
    }
}
