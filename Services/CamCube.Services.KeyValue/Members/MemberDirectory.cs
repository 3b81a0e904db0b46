using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>The groups that this server has a part in, and with whom it shares them. Loop only.</summary>
internal sealed class MemberDirectory(IServer server, KeyValueOptions options, Peers peers)
{
    private readonly Dictionary<GroupId, Member> _members = [];

    /// <summary>All, in the order in which they came.</summary>
    public List<Member> All { get; } = [];

    /// <summary>This server's part in a group; null: it has none.</summary>
    public Member? Find(GroupId id) => _members.GetValueOrDefault(id);

    /// <summary>Who should have a group, in order.</summary>
    public Coordinate[] PlanOf(GroupId id) => id.Planned(server.Shape, options.CopiesOf(id.Table));

    /// <summary>This server has a part in a group from now on.</summary>
    public void Take(Member member)
    {
        LogKeeper keeper = member.Store.Records.Keeper;
        _members.Add(member.Id, member);
        All.Add(member);
        member.Tail.Forgotten = entry => keeper.Forgotten(member, entry);
        for (ulong index = member.Tail.Base + 1; index <= member.Tail.Last; index++)
        {
            keeper.Found(member, member.Tail[index]);
        }

        foreach (LogLocation place in member.Places)
        {
            keeper.Count(place);
        }

        member.Counted = member.State is { Epoch: { } epoch, IsDropped: false } ? epoch : null;
        Count(member.Counted, 1);
    }

    /// <summary>This server has a part in groups that it should have, and that it has first because another is not
    /// there.</summary>
    /// <param name="stores">Where groups are.</param>
    /// <param name="birthPlanOf">Who has a group when it begins.</param>
    public void TakeBlank(MemberStores stores, Func<GroupId, Coordinate[]> birthPlanOf)
    {
        foreach (GroupId id in TableCheck.Groups(options, server.Shape))
        {
            Coordinate[] planned = PlanOf(id);
            bool isHere = planned.Contains(server.Coordinate) || birthPlanOf(id).Contains(server.Coordinate);
            MemberStore store = stores.Of(id);
            if (isHere && store.IsOpen && Find(id) is null)
            {
                Take(store.Records.Found.Blank(id, planned, store));
            }
        }
    }

    /// <summary>A group has an epoch, or is dropped.</summary>
    public void Recount(Member member)
    {
        Count(member.Counted, -1);
        member.Counted = member.State.IsDropped ? null : member.State.Epoch;
        Count(member.Counted, 1);
    }

    private void Count(GroupEpoch? epoch, int by)
    {
        foreach (StoreId store in epoch is null ? default : epoch.Members)
        {
            if (store.Server != server.Coordinate)
            {
                peers[store.Server].Groups += by;
            }
        }
    }
}
