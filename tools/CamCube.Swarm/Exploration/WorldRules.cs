using CamCube.Services.KeyValue.Groups;

namespace CamCube.Swarm.Exploration;

/// <summary>What has to hold, checked at each step of a server and in each world. The numbers are those of the
/// invariants of the store's groups.</summary>
internal sealed class WorldRules(LocalSteps steps)
{
    /// <summary>Births and epochs, numbered from 1 in worlds.</summary>
    public Interned<GroupEpoch> Epochs { get; } = new();

    /// <summary>A ballot as a small number that grows with it.</summary>
    public static byte CodeOf(Ballot ballot) =>
        (byte)(((int)ballot.Generation * World.BallotsOfGeneration) + (((int)ballot.Epoch - 1) * 4) + (int)ballot.Term);

    /// <summary>A store as a small number: its server, or 4 for the one store that replaced another.</summary>
    public static int NumberOf(StoreId store) => store.Incarnation == 2 ? World.Servers : store.Server.X;

    /// <summary>Takes note of a step, and says what it breaks; null if nothing.</summary>
    public string? Note(World world, int server, int before, LocalStep step)
    {
        GroupState old = steps.States[before];
        GroupState now = steps.States[step.State];
        string? broken =
            NoteBirth(world, server, old, now)
            ?? NoteRecovery(world, old, before, now)
            ?? CheckEntered(world, old, before, now);
        if (step.Leads)
        {
            broken ??= NoteLeader(world, now, step.State);
        }

        if (step.WasLeader && step.Commit > 0)
        {
            broken ??= NoteCommit(world, old, before, step.Commit);
        }

        if (step.WasLeader && step.Applied > world.Applied)
        {
            world.Applied = (byte)step.Applied;
            for (int index = 0; index < Math.Min(world.Applied, world.Committed.Count); index++)
            {
                GroupEntry entry = steps.Entries[world.Committed[index].Entry];
                world.Writes |= entry.Kind == EntryKind.Operation ? (byte)(4 << (int)entry.Data) : (byte)0;
            }

            broken ??= world.Applied > world.Committed.Count ? "2: applied, and not committed" : null;
        }

        broken ??= NoteRead(world, server, now, step);
        NoteLease(world, server, now, step);
        foreach (int message in step.Sent)
        {
            broken ??= NoteSaid(world, steps.Messages[message]);
        }

        return broken ?? (step.Dropped ? CheckDropped(world, now) : null);
    }

    /// <summary>What a world breaks: 5, every member that is not away has all that is applied.</summary>
    public string? Check(World world)
    {
        if (world.Applied == 0 || world.Born == 0)
        {
            return null;
        }

        // It could be asked at any time.
        if (world.LeaseServer > 0 && steps.States[world.Live[world.LeaseServer - 1]].Applied < world.Applied)
        {
            return "8: a leader whose lease lasts does not know of an entry that another has applied";
        }

        GroupEpoch epoch = Epochs[world.Born - 1];
        if (epoch.Mode.IsByMajority)
        {
            return null;
        }

        GroupMarks marks = epoch.Marks;
        for (int index = 0; index <= world.Committed.Count; index++)
        {
            if (world.Recovered != 0 && index == world.RecoveredAt)
            {
                (epoch, marks) = (Epochs[world.Recovered - 1], Epochs[world.Recovered - 1].Marks);
            }

            if (index < world.Committed.Count)
            {
                GroupEntry entry = steps.Entries[world.Committed[index].Entry];
                (epoch, marks) =
                    entry.Kind == EntryKind.Next ? (entry.Epoch!, entry.Epoch!.Marks) : (epoch, marks.After(entry));
            }
        }

        for (int member = 0; member < epoch.Members.Length; member++)
        {
            StoreId store = epoch.Members[member];
            GroupState disk = steps.States[world.Disk[store.Server.X]];
            if (marks.IsAway(member) || disk.Self != store)
            {
                continue;
            }

            if (!Holds(world, world.Disk[store.Server.X], world.Applied))
            {
                return $"5: {LocalSteps.NameOf(store)} is not away and lacks an applied entry";
            }
        }

        return null;
    }

    /// <summary>The index of the Next that made an epoch; 0 if it is not known.</summary>
    /// <param name="world">The world.</param>
    /// <param name="epoch">The epoch.</param>
    /// <param name="isEarly">One that is not committed is good enough: an error that is planted.</param>
    public ulong BeginOf(World world, GroupEpoch epoch, bool isEarly)
    {
        if (world.Recovered != 0 && epoch.Equals(Epochs[world.Recovered - 1]))
        {
            return world.RecoveredAt;
        }

        int at = world.Committed.FindIndex(c => epoch.Equals(steps.Entries[c.Entry].Epoch));
        if (at >= 0 || !isEarly)
        {
            return (ulong)(at + 1);
        }

        foreach (int other in world.Live)
        {
            GroupState of = steps.States[other];
            if (of.EndsInNext && epoch.Equals(of.EntryAt(of.LastIndex).Epoch))
            {
                return of.LastIndex;
            }
        }

        return 0;
    }

    private string? NoteBirth(World world, int server, GroupState old, GroupState now)
    {
        if (old.Epoch is not null || now.Epoch is not { Number: 1 })
        {
            return null;
        }

        int born = 1 + Epochs.Of(now.Epoch, now.Epoch.ToString());
        if (world.Born != 0 && world.Born != born)
        {
            return $"10: two births: {Epochs[world.Born - 1]} and {now.Epoch}";
        }

        world.Born = born;
        for (int member = 0; member < now.Epoch.Members.Length; member++)
        {
            StoreId store = now.Epoch.Members[member];
            GroupState disk = steps.States[world.Disk[store.Server.X]];
            if (store.Server.X != server && disk.Self == store && disk.Epoch is null && !now.Epoch.Equals(disk.Birth))
            {
                return $"10: {now.Epoch} is born, and {LocalSteps.NameOf(store)} dropped it";
            }
        }

        return null;
    }

    // Who goes on in the next epoch with its own log has what was committed in the one before.
    private string? CheckEntered(World world, GroupState old, int before, GroupState now)
    {
        bool isWithItsLog =
            old.Epoch is not null
            && now.Epoch!.IsAfter(old.Epoch)
            && now.HasEnd
            && now.EndedBallot != default
            && old.LastIndex >= now.EpochIndex
            && (int)now.EpochIndex <= world.Committed.Count;
        return isWithItsLog && !Holds(world, before, (int)now.EpochIndex)
            ? $"4: {LocalSteps.NameOf(now.Self)} goes on in epoch {now.Epoch!.Number} with another log"
            : null;
    }

    // Who decides a recovery says what there is: from then on nothing else ever was.
    private string? NoteRecovery(World world, GroupState old, int before, GroupState now)
    {
        if (now.Epoch is not { Generation: > 0 } epoch || !epoch.IsAfter(old.Epoch))
        {
            return null;
        }

        bool isOfBase = old is { Recovery: { } recovery, IsDecided: true } && recovery.Base == now.Self;
        if (isOfBase && world.Recovered != 0)
        {
            return "3: two recoveries take effect";
        }

        if (isOfBase)
        {
            return Recover(world, old, before, now);
        }

        // What is visible at a member that goes on must be what there is.
        int applied = old.IsDropped || old.Epoch is null || now.Position < 0 ? 0 : (int)old.Applied;
        return Holds(world, before, Math.Min(applied, world.Committed.Count)) && applied <= world.Committed.Count
            ? null
            : $"4: {LocalSteps.NameOf(now.Self)} goes on with what was given up";
    }

    private string? Recover(World world, GroupState old, int before, GroupState now)
    {
        if (!Holds(world, before, Math.Min((int)old.Commit, world.Committed.Count)))
        {
            return "2: a recovery changes what was known to be committed";
        }

        int[] log = steps.EntriesOf(before);
        int index = (int)now.EpochIndex;
        int kept = Math.Min(Math.Min(index, (int)old.BaseIndex), world.Committed.Count);
        world.Committed.RemoveRange(kept, world.Committed.Count - kept);
        for (int at = world.Committed.Count; at < index; at++)
        {
            world.Committed.Add((log[at - (int)old.BaseIndex], CodeOf(old.BallotAt((ulong)at + 1))));
        }

        world.Recovered = (byte)(1 + Epochs.Of(now.Epoch!, now.Epoch!.ToString()));
        (world.RecoveredAt, world.Applied) = ((byte)index, Math.Min(world.Applied, (byte)index));
        for (int write = 0; write < 2; write++)
        {
            bool isThere = world.Committed.Exists(c =>
                steps.Entries[c.Entry] is { Kind: EntryKind.Operation } e && e.Data == (ulong)write
            );
            world.Writes &= isThere ? byte.MaxValue : (byte)~((4 << write) | (write == 0 ? 16 : 0));
        }

        world.ReadSees &= (byte)(world.Writes >> 2 & 3);
        return null;
    }

    private static bool HasLost(World world, GroupEpoch epoch)
    {
        foreach (StoreId member in epoch.Members)
        {
            bool isBack = world.Returned == member.Server.X + 1 && member.Incarnation == 1;
            if (world.Recovered != 0 && (isBack || (world.Lost >> member.Server.X & 1) != 0))
            {
                return true;
            }
        }

        return false;
    }

    private string? NoteLeader(World world, GroupState now, int state)
    {
        byte ballot = CodeOf(now.Ballot);
        byte store = (byte)(1 + NumberOf(now.Self));
        if (world.Leaders[ballot] != 0 && world.Leaders[ballot] != store)
        {
            return $"1: two leaders in {now.Ballot}";
        }

        world.Leaders[ballot] = store;
        world.ForgetVotes(ballot);
        int count = 0;
        while (count < world.Committed.Count && world.Committed[count].Ballot < ballot)
        {
            count++;
        }

        return Holds(world, state, count) ? null : "5: a later leader lacks a committed entry";
    }

    private string? NoteCommit(World world, GroupState old, int before, int commit)
    {
        int[] entries = steps.EntriesOf(before);
        for (int index = (int)old.BaseIndex + 1; index <= commit; index++)
        {
            int id = entries[index - (int)old.BaseIndex - 1];
            if (index <= world.Committed.Count)
            {
                if (world.Committed[index - 1].Entry != id)
                {
                    return $"2: two entries are committed at {index}";
                }

                continue;
            }

            GroupEntry entry = steps.Entries[id];
            foreach ((int other, _) in world.Committed)
            {
                GroupEntry earlier = steps.Entries[other];
                if (earlier.Kind == EntryKind.Next && earlier.Epoch!.IsAfter(old.Epoch))
                {
                    return "3: an entry is committed behind Next";
                }

                if (other == id && entry.Kind == EntryKind.Operation)
                {
                    return $"7: write {entry.Data + 1} is committed twice";
                }
            }

            if (world.Recovered != 0 && Epochs[world.Recovered - 1].IsAfter(old.Epoch))
            {
                return "3: an entry is committed in a generation that has ended";
            }

            if (entry.Kind == EntryKind.Next && HasLost(world, entry.Epoch!))
            {
                return "10: a store that was given up is a member again";
            }

            if (entry.Kind == EntryKind.Operation && entry.Data == 1 && (world.Writes & 16) != 0 && !HasFirst(world))
            {
                return "6: write 2, which began after write 1 was answered, is committed before it";
            }

            world.Committed.Add((id, CodeOf(old.Ballot)));
        }

        return null;
    }

    private bool HasFirst(World world) =>
        world.Committed.Exists(c => steps.Entries[c.Entry] is { Kind: EntryKind.Operation, Data: 0 });

    private string? NoteRead(World world, int server, GroupState now, LocalStep step)
    {
        if (step.ReadNoted >= 0)
        {
            (world.Read, world.ReadServer, world.ReadBallot) = (1, (byte)server, CodeOf(now.Ballot));
            (world.ReadNoted, world.ReadSees) = ((byte)step.ReadNoted, (byte)(world.Writes >> 2 & 3));
        }

        if (world.Read != 1 || world.ReadServer != server)
        {
            return null;
        }

        if (step.ReadConfirmed)
        {
            world.Read = 2;
            for (int write = 0; write < 2; write++)
            {
                int at = world.Committed.FindIndex(c =>
                    steps.Entries[c.Entry] is { Kind: EntryKind.Operation } e && e.Data == (ulong)write
                );
                if ((world.ReadSees >> write & 1) != 0 && at >= world.ReadNoted)
                {
                    return $"8: the read does not see write {write + 1}, which was answered before it";
                }
            }
        }

        world.Read = step.Resigned ? (byte)2 : world.Read;
        if (world.Read == 2)
        {
            (world.ReadServer, world.ReadBallot, world.ReadNoted, world.ReadSees) = (0, 0, 0, 0);
        }

        return null;
    }

    private static void NoteLease(World world, int server, GroupState now, LocalStep step)
    {
        bool isIts = world.LeaseServer == server + 1;
        if (isIts && !now.MayLease)
        {
            world.LeaseServer = 0;
        }
        else if (step.ReadConfirmed && now.MayLease && world.LeaseSpent == 0)
        {
            world.LeaseServer = (byte)(server + 1);
        }
    }

    private string? NoteSaid(World world, in GroupMessage message)
    {
        if (message.Kind is not (MessageKind.Vote or MessageKind.Accepted or MessageKind.RequestVote))
        {
            return null;
        }

        uint epoch = message.Ballot.Epoch;
        Ballot first = message.Ballot with { Term = 0 };
        bool isByHand = world.Recovered != 0 && Epochs[world.Recovered - 1].First == first;
        bool isOver = world.Recovered != 0 && first < Epochs[world.Recovered - 1].First;
        if (
            epoch > 1
            && !isByHand
            && !isOver
            && !world.Committed.Exists(c => steps.Entries[c.Entry].Epoch?.First == first)
        )
        {
            return $"4: {LocalSteps.NameOf(message.From)} votes or acknowledges in epoch {epoch}, "
                + "whose Next is not committed";
        }

        if (message.Kind == MessageKind.Accepted)
        {
            return null;
        }

        // Where somebody leads, votes are of no more use to anybody.
        if (world.Leaders[CodeOf(message.Ballot)] != 0)
        {
            return null;
        }

        // Who asks for votes has voted for itself.
        StoreId to = message.Kind == MessageKind.Vote ? message.To : message.From;
        byte candidate = (byte)(1 + NumberOf(to));
        ref byte vote = ref world.VoteOf(CodeOf(message.Ballot), NumberOf(message.From));
        if (vote != 0 && vote != candidate)
        {
            return $"10: {LocalSteps.NameOf(message.From)} votes twice in {message.Ballot}";
        }

        vote = candidate;
        return null;
    }

    private string? CheckDropped(World world, GroupState now)
    {
        if (now.Fetching?.Generation > now.Epoch!.Generation)
        {
            // In the place of what it has it takes what there is since others were given up.
            return null;
        }

        foreach (StoreId member in now.Epoch!.Members)
        {
            if (now.Epoch.IsAfter(steps.States[world.Disk[member.Server.X]].Epoch))
            {
                return $"5: data is dropped that {LocalSteps.NameOf(member)} has not";
            }
        }

        return null;
    }

    private bool Holds(World world, int id, int count)
    {
        GroupState state = steps.States[id];
        int[] entries = steps.EntriesOf(id);
        for (int index = (int)state.BaseIndex + 1; index <= count; index++)
        {
            int at = index - (int)state.BaseIndex - 1;
            if (at >= entries.Length || entries[at] != world.Committed[index - 1].Entry)
            {
                return false;
            }
        }

        return state.Epoch is not null || count == 0;
    }
}
