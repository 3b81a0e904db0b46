using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Groups;

/// <summary>Stores of one group and the messages between them, delivered when a test says so.</summary>
internal sealed class GroupCrowd
{
    private readonly List<GroupMessage> _sent = [];

    public GroupCrowd(int servers, int members, GroupMode mode = default)
    {
        for (int server = 0; server < servers; server++)
        {
            All.Add(new GroupMember(StoreAt(server, 1), true, mode.IsInMemory));
        }

        StoreId[] stores = [.. Enumerable.Range(0, members).Select(s => StoreAt(s, 1))];
        Planned = new GroupEpoch(1, stores, default, default, mode);
    }

    /// <summary>The member at each server.</summary>
    public List<GroupMember> All { get; } = [];

    public GroupEpoch Planned { get; }

    /// <summary>What is not delivered; lost if a test says so.</summary>
    public Predicate<GroupMessage> IsLost { get; set; } = _ => false;

    public GroupMember this[int server] => All[server];

    public static StoreId StoreAt(int server, ulong incarnation) =>
        new(new Coordinate((ushort)server, 0, 0), incarnation);

    public static GroupEpoch Epoch(params StoreId[] members) => new(1, members, default);

    /// <summary>A group that is born and whose first member leads.</summary>
    public static GroupCrowd Led(int servers, int members, GroupMode mode = default)
    {
        var crowd = new GroupCrowd(servers, members, mode);
        crowd[0].Take(new GroupEvent { Kind = EventKind.BirthDue, Epoch = crowd.Planned });
        crowd.Run();
        crowd[0].Take(GroupEvent.Of(EventKind.ElectionDue));
        crowd.Run();
        crowd.All.ForEach(m => m.Forget());
        return crowd;
    }

    /// <summary>Syncs and delivers until nothing moves.</summary>
    public void Run()
    {
        for (int round = 0; round < 1_000; round++)
        {
            foreach (GroupMember member in All)
            {
                member.Sync();
            }

            if (!Deliver() && !All.Exists(m => m.IsUnsynced))
            {
                return;
            }
        }

        Assert.Fail("it goes on for ever");
    }

    /// <summary>Delivers what was sent, once; syncs nothing.</summary>
    public bool Deliver()
    {
        _sent.Clear();
        foreach (GroupMember member in All)
        {
            _sent.AddRange(member.Outbox);
            member.Outbox.Clear();
        }

        foreach (GroupMessage message in _sent.Where(m => !IsLost(m)))
        {
            foreach (GroupMember member in All.Where(m => m.Store.Server == message.To.Server))
            {
                member.Take(GroupEvent.Of(message));
            }
        }

        return _sent.Count > 0;
    }

    /// <summary>The leader's beat, and all that follows.</summary>
    public void Beat(int server)
    {
        this[server].Take(GroupEvent.Of(EventKind.BeatDue));
        Run();
    }

    /// <summary>A store in the place of another, blank.</summary>
    public void Replace(int server, ulong incarnation) =>
        All[server] = new(StoreAt(server, incarnation), Planned.Mode.IsInMemory, Planned.Mode.IsInMemory);
}
