using CamCube.Messaging;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>This server's part in one group.</summary>
internal sealed class Member(GroupId id, Coordinate[] planned, GroupState state, Tail tail, RequestMemory requests)
{
    private uint _generation;

    public GroupId Id => id;

    /// <summary>Who should have it, in order.</summary>
    public Coordinate[] Planned => planned;

    public GroupState State { get; set; } = state;

    /// <summary>Each of its changes has a write and a sync of its own.</summary>
    public bool SyncsEach => Store.SyncsEach(id.Table);

    /// <summary>Where it is written.</summary>
    public required MemberStore Store { get; init; }

    public Tail Tail => tail;

    /// <summary>What is known of requests, up to what is shown.</summary>
    public RequestMemory Requests => requests;

    /// <summary>How far entries may be shown.</summary>
    public ulong Applied { get; set; } = state.Applied;

    /// <summary>How far they are shown: in the index, and answered.</summary>
    public ulong Shown { get; set; } = tail.Base;

    /// <summary>What has to do with its requests.</summary>
    public object? Work { get; set; }

    /// <summary>When its leader was last heard in this group itself.</summary>
    public long HeardNanos { get; set; } = long.MinValue / 2;

    /// <summary>Since when it has a part in the group's generation, at the latest.</summary>
    public long BegunNanos { get; private set; }

    /// <summary>When a leader was there last, as far as was known then; 0: not in this run.</summary>
    public long LedNanos { get; set; }

    /// <summary>Since when no majority of its members' stores can be reached; 0: one can.</summary>
    public long AloneNanos { get; set; }

    /// <summary>Members whose stores cannot be reached, one bit each.</summary>
    public byte Unreachable { get; set; }

    /// <summary>The ballot that was promised when that was looked at last.</summary>
    public Ballot SeenBallot { get; set; }

    /// <summary>When to stand; 0: not.</summary>
    public long StandNanos { get; set; }

    /// <summary>How many times somebody stood since a leader was heard, as far as it counts.</summary>
    public int Stood { get; set; }

    /// <summary>When to try again to be born, or to ask again whether its data may go.</summary>
    public long AgainNanos { get; set; } = long.MinValue / 2;

    /// <summary>A leader has something to tell the others with the next beat.</summary>
    public bool IsDirty { get; set; }

    /// <summary>The ballots of what is shown.</summary>
    public BallotRuns Runs { get; private set; } = new();

    /// <summary>Changes that came with a state, and are not durable and in the index yet: until they are, it is a state
    /// with holes, however far the group says that it goes.</summary>
    public int Settling { get; set; }

    /// <summary>How far the log on the disk says that all is applied.</summary>
    public ulong Positioned { get; set; } = tail.Base;

    /// <summary>The disk wants entries to be settled.</summary>
    public bool WantsTrim { get; set; }

    /// <summary>Where the last record of each kind lies, by <see cref="RecordKind"/>.</summary>
    public LogLocation[] Places { get; } = new LogLocation[(int)RecordKind.Recovery + 1];

    /// <summary>Of each record of an epoch that has no place yet: whether it says that the data was dropped.</summary>
    public Queue<bool> Drops { get; } = [];

    /// <summary>Of this group nothing counts that was written before this place.</summary>
    public LogLocation Void { get; set; }

    /// <summary>What each member has to acknowledge next, as its leader sees it.</summary>
    public ulong[] Asked { get; } = new ulong[GroupEpoch.MostMembers];

    /// <summary>Since when it has to.</summary>
    public long[] AskedNanos { get; } = new long[GroupEpoch.MostMembers];

    /// <summary>Entries that are on their way to each server.</summary>
    public Dictionary<Coordinate, MessageTicket> Sending { get; } = [];

    /// <summary>The epoch whose members are counted as sharing this group.</summary>
    public GroupEpoch? Counted { get; set; }

    /// <summary>What the sums of others count of it (<see cref="Peers"/>).</summary>
    public GroupShare Share { get; set; }

    /// <summary>For how long reads need no question, or nobody else is voted for.</summary>
    public Lease Lease { get; } = new();

    /// <summary>Nothing of it is here any more.</summary>
    public void Forget()
    {
        tail.Reset(0);
        requests.Clear();
        (Applied, Shown, Positioned, Runs, WantsTrim) = (0, 0, 0, new BallotRuns(), false);
    }

    /// <summary>It enters an epoch.</summary>
    public void NoteEpoch(long now)
    {
        if (State.Epoch is { } epoch && epoch.Generation != _generation)
        {
            (_generation, BegunNanos) = (epoch.Generation, now);
        }
    }

    public bool Leads => State.Role == GroupRole.Leader;

    /// <summary>The server that leads, as far as is known.</summary>
    public Coordinate? Leader =>
        State is { Role: GroupRole.Leader } ? State.Self.Server
        : State is { Role: GroupRole.Follower, Leader: >= 0, Epoch: { } epoch } ? epoch.Members[State.Leader].Server
        : null;

    /// <summary>The position of a server's store among the members; -1: it has none.</summary>
    public int PositionOf(Coordinate server)
    {
        ReadOnlySpan<StoreId> members = State.Epoch is { } epoch ? epoch.Members : default;
        for (int i = 0; i < members.Length; i++)
        {
            if (members[i].Server == server)
            {
                return i;
            }
        }

        return -1;
    }
}
