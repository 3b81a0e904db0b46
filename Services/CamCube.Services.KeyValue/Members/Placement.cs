using CamCube.Messaging;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// Who should be the members of a group, as its leader sees it: those that the plan of the cube says, and while one of
/// them is lost for long the next server that has the key. One change at a time; the members decide it. Loop only.
/// </summary>
internal sealed class Placement(
    IServer server,
    KeyValueOptions options,
    MessageChannel<KeyValueHeader> channel,
    MemberHost host
)
{
    private readonly long _replaceNanos = (long)options.ReplicateAfter.TotalNanoseconds;

    /// <summary>Proposes other members, if there should be.</summary>
    public void Look(Member member)
    {
        GroupState state = member.State;
        if (state.EndsInNext || state.Applied < state.First || state.Epoch is not { } epoch)
        {
            return;
        }

        if (ReplacesLost(member, epoch) || BringsHome(member, epoch))
        {
            return;
        }

        if (epoch.Members.Length < member.Planned.Length && MoreFor(member, epoch) is { Length: > 0 } more)
        {
            // After a recovery by hand there may have been too few servers.
            Propose(member, epoch, [.. epoch.Members, .. more]);
        }
    }

    // Before anybody goes home: without both there may be too few who have the state.
    private bool ReplacesLost(Member member, GroupEpoch epoch)
    {
        for (int position = 0; position < epoch.Members.Length; position++)
        {
            StoreId store = epoch.Members[position];
            if (
                store.Server != server.Coordinate
                && IsLost(member, store)
                && InsteadOf(member, epoch, store) is { } instead
                && Propose(member, epoch, position, instead)
            )
            {
                return true;
            }
        }

        return false;
    }

    // Others before this server, which leads.
    private bool BringsHome(Member member, GroupEpoch epoch)
    {
        if (PlannedFor(member, epoch) is not { } planned)
        {
            return false;
        }

        for (int position = 0; position < epoch.Members.Length; position++)
        {
            bool isOther = epoch.Members[position].Server != server.Coordinate;
            if (isOther && IsOutOfPlace(member, epoch, position) && Propose(member, epoch, position, planned))
            {
                return true;
            }
        }

        int self = member.State.Position;
        return IsOutOfPlace(member, epoch, self) && Propose(member, epoch, self, planned);
    }

    // False: it cannot be done now.
    private bool Propose(Member member, GroupEpoch epoch, int position, StoreId instead)
    {
        StoreId[] members = epoch.Members.ToArray();
        members[position] = instead;
        return Propose(member, epoch, members);
    }

    private bool Propose(Member member, GroupEpoch epoch, StoreId[] members)
    {
        // The plan's order, those that stand in last: the first one leads.
        StoreId[] ordered = [.. members.OrderBy(m => OrderOf(member, m.Server))];
        if (member.Store.IsInMemory && 2 * CountOutOfPlace(member, ordered) >= ordered.Length)
        {
            // One of any majority is at a planned server, so that there are not all of these blank (GroupMemory).
            return false;
        }

        bool isAlone = epoch.Members.Length == 1;
        if (!isAlone && 2 * CountWhole(member, epoch, ordered) <= ordered.Length)
        {
            // Who is new decides nothing before it has the state: until then the others must be able to. One that is
            // alone cannot: it waits for the first of them.
            return false;
        }

        var next = new GroupEpoch(epoch.Number + 1, ordered, default);
        host.Step(member, new GroupEvent { Kind = EventKind.ProposeNext, Epoch = next });
        return true;
    }

    private static int CountOutOfPlace(Member member, StoreId[] next) =>
        next.Count(store => !member.Planned.Contains(store.Server));

    private int CountWhole(Member member, GroupEpoch epoch, StoreId[] next)
    {
        GroupMarks marks = member.State.LastMarks;
        int whole = 0;
        foreach (StoreId store in next)
        {
            int position = epoch.PositionOf(store);
            whole +=
                position >= 0
                && marks.IsWhole(position)
                && !marks.IsAway(position)
                && !host.Peers.IsSilent(store.Server)
                    ? 1
                    : 0;
        }

        return whole;
    }

    private static int OrderOf(Member member, Coordinate at)
    {
        int place = Array.IndexOf(member.Planned, at);
        return place < 0 ? int.MaxValue : place;
    }

    // It is silent for long, or its server has another store now.
    private bool IsLost(Member member, StoreId store)
    {
        Peer peer = host.Peers[store.Server];
        if (host.Bans.Has(store))
        {
            return true;
        }

        return host.Peers.IsSilent(store.Server)
            ? server.NowNanos - peer.HeardNanos > _replaceNanos
            : peer.StoreOf(member) is { } now && now != store;
    }

    // It stands in for a server that is there again.
    private static bool IsOutOfPlace(Member member, GroupEpoch epoch, int position) =>
        !member.Planned.Contains(epoch.Members[position].Server) && epoch.Members.Length <= member.Planned.Length;

    // A planned server that is there and no member.
    private StoreId? PlannedFor(Member member, GroupEpoch epoch)
    {
        foreach (Coordinate planned in member.Planned)
        {
            if (!Has(epoch, planned) && StoreOf(member, planned) is { } store)
            {
                return store;
            }
        }

        return null;
    }

    private StoreId? InsteadOf(Member member, GroupEpoch epoch, StoreId lost)
    {
        bool isGivenUp = host.Peers[lost.Server].Store is { } now && host.Bans.Has(now);
        if (!host.Peers.IsSilent(lost.Server) && !isGivenUp)
        {
            return StoreOf(member, lost.Server);
        }

        return NextFor(member, epoch);
    }

    // As many as are missing, those of the plan first.
    private StoreId[] MoreFor(Member member, GroupEpoch epoch)
    {
        List<StoreId> more = [];
        int missing = member.Planned.Length - epoch.Members.Length;
        foreach (Coordinate at in member.Planned)
        {
            if (more.Count < missing && !Has(epoch, at) && StoreOf(member, at) is { } store)
            {
                more.Add(store);
            }
        }

        return more.Count == 0 && NextFor(member, epoch) is { } next ? [next] : [.. more];
    }

    private StoreId? NextFor(Member member, GroupEpoch epoch)
    {
        var key = new Key(server.Shape.At(member.Id.Home).Packed | (uint)member.Id.Sequence, 0, 0);
        Span<Coordinate> live = stackalloc Coordinate[16];
        int count = server.Topology.GetServersForKey(key, live);
        foreach (Coordinate at in live[..count])
        {
            bool isGivenUp = host.Peers[at].Store is { } now && host.Bans.Has(now);
            if (!Has(epoch, at) && !isGivenUp)
            {
                // The next one in order; until it has said which store it has, nothing is done.
                return StoreOf(member, at);
            }
        }

        return null;
    }

    private static bool Has(GroupEpoch epoch, Coordinate at)
    {
        foreach (StoreId store in epoch.Members)
        {
            if (store.Server == at)
            {
                return true;
            }
        }

        return false;
    }

    private StoreId? StoreOf(Member member, Coordinate at)
    {
        if (at == server.Coordinate)
        {
            return member.Store.Id;
        }

        if (!server.Topology.IsReachable(at))
        {
            return null;
        }

        Peer peer = host.Peers[at];
        if (host.Peers.IsSilent(at) || peer.StoreOf(member) is null)
        {
            channel.Send(new KeyValueHeader { Type = MessageType.AskStore }, host.Bans.ToBytes(), default, at);
            return null;
        }

        return peer.StoreOf(member) is { } there && !host.Bans.Has(there) ? there : null;
    }
}
