using System.Numerics;
using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Notes of groups which members' stores can be reached, and since when too few. Loop only.</summary>
/// <param name="host">The groups.</param>
internal sealed class Reach(MemberHost host)
{
    /// <summary>Looks at a group.</summary>
    public void Note(Member member, long now)
    {
        ReadOnlySpan<StoreId> members = member.State is { Epoch: { } epoch, Role: not GroupRole.Ended }
            ? epoch.Members
            : default;
        int unreachable = 0;
        for (int position = 0; position < members.Length; position++)
        {
            unreachable |= IsThere(member, members[position]) ? 0 : 1 << position;
        }

        member.Unreachable = (byte)unreachable;
        bool isAlone = 2 * BitOperations.PopCount((uint)unreachable) >= members.Length && members.Length > 0;
        member.AloneNanos =
            !isAlone ? 0
            : member.AloneNanos == 0 ? now
            : member.AloneNanos;
        if ((member.Leads && !isAlone) || (!member.Leads && members.Length > 0 && !host.Peers.IsLeaderless(member)))
        {
            member.LedNanos = now;
        }
    }

    private bool IsThere(Member member, StoreId store) =>
        store == member.State.Self
        || (
            !host.Bans.Has(store)
            && !host.Peers.IsSilent(store.Server)
            && (host.Peers[store.Server].StoreOf(member) is not { } now || now == store)
        );
}
