using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Groups;

/// <summary>A store with its disk: what was written is durable when the test says so.</summary>
internal sealed class GroupMember(StoreId store, bool isFounding, bool isInMemory = false)
{
    private readonly List<GroupAction> _actions = [];
    private GroupState _disk = new(store, isFounding) { IsInMemory = isInMemory };

    public GroupState State { get; private set; } = new(store, isFounding) { IsInMemory = isInMemory };

    public StoreId Store => store;

    public bool IsDown { get; set; }

    /// <summary>Whether a sync is asked for that has not ended.</summary>
    public bool IsUnsynced { get; private set; }

    /// <summary>All it was told to do since the last <see cref="Forget"/>, but sending.</summary>
    public List<GroupAction> Done { get; } = [];

    public List<GroupMessage> Outbox { get; } = [];

    public void Forget() => Done.Clear();

    public void Take(in GroupEvent happened)
    {
        if (IsDown)
        {
            return;
        }

        _actions.Clear();
        GroupCore.Step(State, happened, _actions);
        foreach (GroupAction action in _actions)
        {
            if (action.Kind == ActionKind.Send)
            {
                Outbox.Add(action.Message);
                continue;
            }

            IsUnsynced |= action.Kind == ActionKind.Sync;
            Done.Add(action);
        }
    }

    public void Sync()
    {
        if (!IsDown && IsUnsynced)
        {
            IsUnsynced = false;
            _disk = State.Copy();
            Take(GroupEvent.Of(State.Written));
        }
    }

    public void Crash() => (IsDown, IsUnsynced) = (true, false);

    public void Start() => (IsDown, State) = (false, _disk.Restart(0));

    public bool Did(ActionKind kind) => Done.Exists(a => a.Kind == kind);
}
