using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;
using MessageKind = CamCube.Services.KeyValue.Groups.MessageKind;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// The other servers, and the sums by which two of them see with one packet whether they mean the same of all groups
/// that they share, however many those are: who leads in which ballot, and how far all is applied. Loop only.
/// </summary>
internal sealed class Peers(IServer server, long silenceNanos)
{
    private readonly Dictionary<Coordinate, Peer> _peers = [];
    private readonly List<Peer> _inOrder = [];

    public IReadOnlyList<Peer> All => _inOrder;

    public Peer this[Coordinate at]
    {
        get
        {
            if (!_peers.TryGetValue(at, out Peer? peer))
            {
                _peers[at] = peer = new Peer(at);
                _inOrder.Add(peer);
            }

            return peer;
        }
    }

    /// <summary>Nothing was heard of it for long, or the view has lost it.</summary>
    public bool IsSilent(Coordinate at) =>
        at != server.Coordinate
        && (!server.Topology.IsReachable(at) || server.NowNanos - this[at].HeardNanos > silenceNanos);

    /// <summary>Another server that leads a group and can be asked; null: none is known.</summary>
    public Coordinate? LeaderOf(Member member) =>
        member.Leader is { } leader && leader != server.Coordinate && server.Topology.IsReachable(leader)
            ? leader
            : null;

    /// <summary>Notes that a leader speaks. True: somebody stands, and here the leader is not heard any more: it need
    /// not be asked for again before this server has looked by itself.</summary>
    public bool Hear(Member member, in GroupMessage message)
    {
        if (message.Kind is MessageKind.Append or MessageKind.Confirm)
        {
            member.HeardNanos = server.NowNanos;
        }

        return message.Kind == MessageKind.PreVote && member.State.HearsLeader && IsLeaderless(member);
    }

    /// <summary>Nobody leads a group, as far as can be heard.</summary>
    public bool IsLeaderless(Member member)
    {
        if (member.Leads)
        {
            return false;
        }

        if (member.Leader is not { } leader || !server.Topology.IsReachable(leader))
        {
            return true;
        }

        long heard = Math.Max(member.HeardNanos, this[leader].LeadNanos);
        return server.NowNanos - heard > silenceNanos;
    }

    /// <summary>This server stood still: what others said meanwhile was not heard.</summary>
    public void Excuse()
    {
        foreach (Peer peer in _inOrder)
        {
            (peer.HeardNanos, peer.LeadNanos) = (server.NowNanos, server.NowNanos);
        }
    }

    /// <summary>Counts a group anew, after a step.</summary>
    public void Count(Member member)
    {
        GroupState state = member.State;
        bool isCounted = member.Leads || (state.Role == GroupRole.Follower && state.Leader >= 0);
        GroupShare share = isCounted
            ? new GroupShare(
                state.Epoch,
                member.Leads ? state.Position : state.Leader,
                state.Position,
                Mix(member.Id, state.Ballot, 0),
                Mix(member.Id, state.Ballot, state.Applied + 1)
            )
            : default;
        if (share == member.Share)
        {
            return;
        }

        Add(member.Share, -1);
        Add(share, 1);
        member.Share = share;
    }

    private static ulong Mix(GroupId group, Ballot ballot, ulong applied)
    {
        const ulong Odd = 0x9E3779B97F4A7C15;
        ulong mixed = (group.Number + 1) * Odd;
        mixed = (mixed ^ (mixed >> 29) ^ ((ulong)ballot.Generation << 40 | (ulong)ballot.Epoch << 20)) * Odd;
        mixed = (mixed ^ (mixed >> 32) ^ ballot.Term) * Odd;
        mixed = (mixed ^ (mixed >> 29) ^ applied) * Odd;
        return mixed ^ (mixed >> 31);
    }

    private void Add(in GroupShare share, int times)
    {
        if (share.Epoch is null)
        {
            return;
        }

        ulong ballot = times > 0 ? share.Ballot : 0 - share.Ballot,
            applied = times > 0 ? share.Applied : 0 - share.Applied;
        if (share.Leader != share.Self)
        {
            ref BeatContent leader = ref this[share.Epoch.Members[share.Leader].Server].Sums;
            leader.FollowBallots += ballot;
            leader.FollowApplied += applied;
            return;
        }

        for (int position = 0; position < share.Epoch.Members.Length; position++)
        {
            if (position != share.Self)
            {
                ref BeatContent follower = ref this[share.Epoch.Members[position].Server].Sums;
                follower.LeadBallots += ballot;
                follower.LeadApplied += applied;
            }
        }
    }
}
