using CamCube.Services.KeyValue.Groups;

namespace CamCube.Swarm.Exploration;

/// <summary>
/// What is on its way. Of messages of one kind, ballot, sender and receiver the latest is kept: an earlier one that
/// comes late does what it did when it came in time, which is explored as well. What can do nothing any more is taken
/// away.
/// </summary>
internal sealed class WorldNetwork(LocalSteps steps)
{
    private readonly List<KnownMessage> _known = [];
    private readonly Dictionary<string, int> _slots = [];

    public void Send(World world, int message)
    {
        // Refusals only hasten what asking for votes does as well.
        if (steps.Messages[message].Kind == MessageKind.Refused || world.Sent.BinarySearch(message) >= 0)
        {
            return;
        }

        int slot = Known(message).Slot;
        int same = world.Sent.FindIndex(other => Known(other).Slot == slot);
        if (same >= 0)
        {
            world.Sent.RemoveAt(same);
        }

        world.Sent.Insert(~world.Sent.BinarySearch(message), message);
    }

    /// <summary>Takes away what can do nothing any more.</summary>
    public void Prune(World world)
    {
        for (int at = world.Sent.Count - 1; at >= 0; at--)
        {
            if (IsPast(world, world.Sent[at]))
            {
                world.Sent.RemoveAt(at);
            }
        }
    }

    public int ReceiverOf(int message) => Known(message).Server;

    private bool IsPast(World world, int id)
    {
        KnownMessage known = Known(id);
        GroupState disk = steps.States[world.Disk[known.Server]];
        if (known.Incarnation != 0 && known.Incarnation != disk.Self.Incarnation)
        {
            return true;
        }

        if (known.IsOfBallot && known.Ballot < disk.Ballot)
        {
            return true;
        }

        GroupState live = steps.States[world.Live[known.Server]];
        switch (known.Kind)
        {
            case MessageKind.RequestVote:
                return world.Leaders[known.Code] != 0;
            case MessageKind.Vote:
                return live.Role != GroupRole.Candidate || live.Ballot != known.Ballot;
            case MessageKind.Accepted:
                return !Leads(live, known)
                    || live.AcknowledgedBy(live.Epoch!.PositionOf(known.From)) >= steps.Messages[id].Index;
            case MessageKind.Behind:
                return !Leads(live, known);
            case MessageKind.Confirm or MessageKind.Confirmed:
                return world.Read != 1 || world.ReadBallot != known.Code;
            case MessageKind.StartEpoch:
                return !steps.Messages[id].Epoch!.IsAfter(disk.Epoch);
            case MessageKind.Recover or MessageKind.RecoverAccepted:
                return !steps.Messages[id].Recovery!.Next.IsAfter(disk.Epoch);
            case MessageKind.IsBlank or MessageKind.IsKnown:
                return live.Planned is null;
            case >= MessageKind.AskBlank:
                return disk.Epoch is not null;
            default:
                return false;
        }
    }

    private static bool Leads(GroupState live, in KnownMessage known) =>
        live.Role == GroupRole.Leader && live.Ballot == known.Ballot;

    private KnownMessage Known(int message)
    {
        while (_known.Count <= message)
        {
            GroupMessage of = steps.Messages[_known.Count];
            bool isOfBallot = of.Kind < MessageKind.StartEpoch;
            string epoch = isOfBallot ? "" : $"{GroupText.Of(of.Epoch)} {GroupText.Of(of.Recovery)}";
            string text = $"{of.Kind} {of.From} {of.To} {of.Ballot} {epoch}";
            _slots.TryAdd(text, _slots.Count);
            byte code = isOfBallot ? WorldRules.CodeOf(of.Ballot) : (byte)0;
            _known.Add(
                new KnownMessage(
                    of.Kind,
                    of.From,
                    of.To.Server.X,
                    of.To.Incarnation,
                    _slots[text],
                    isOfBallot,
                    of.Ballot,
                    code
                )
            );
        }

        return _known[message];
    }

    private readonly record struct KnownMessage(
        MessageKind Kind,
        StoreId From,
        int Server,
        ulong Incarnation,
        int Slot,
        bool IsOfBallot,
        Ballot Ballot,
        byte Code
    );
}
