using System.Globalization;
using CamCube.Services.KeyValue.Groups;

namespace CamCube.Swarm.Exploration;

/// <summary>
/// States of single servers, messages and entries, each with a number, and the steps between them. A server's state
/// comes again in very many states of all of them, so the protocol itself runs seldom.
/// </summary>
internal sealed class LocalSteps
{
    private readonly Dictionary<(int State, int Event), LocalStep> _steps = [];
    private readonly Dictionary<int, int> _restarts = [];
    private readonly Dictionary<int, int[]> _entries = [];
    private readonly List<GroupAction> _actions = [];

    public Interned<GroupState> States { get; } = new();

    public Interned<GroupMessage> Messages { get; } = new();

    public Interned<GroupEntry> Entries { get; } = new();

    public Interned<GroupEvent> Events { get; } = new();

    public int IdOf(GroupState state) => States.Of(state, state.ToString());

    public int IdOf(in GroupMessage message) => Messages.Of(message, GroupText.Of(message));

    /// <summary>An entry that is committed. Next has another ballot after each election, and is the same.</summary>
    public int IdOf(in GroupEntry entry)
    {
        GroupEntry said = entry.Kind == EntryKind.Next ? entry with { Ballot = default } : entry;
        return Entries.Of(said, GroupText.Of([said]));
    }

    /// <summary>What a store goes on with when all of this state is durable.</summary>
    public int RestartOf(int state)
    {
        if (!_restarts.TryGetValue(state, out int restarted))
        {
            restarted = IdOf(States[state].Restart(0));
            _restarts.Add(state, restarted);
        }

        return restarted;
    }

    /// <summary>The entries of a state's log, as numbers.</summary>
    public int[] EntriesOf(int state)
    {
        if (!_entries.TryGetValue(state, out int[]? entries))
        {
            GroupState of = States[state];
            entries = new int[of.LastIndex - of.BaseIndex];
            for (int at = 0; at < entries.Length; at++)
            {
                entries[at] = IdOf(of.EntryAt(of.BaseIndex + 1 + (ulong)at));
            }

            _entries.Add(state, entries);
        }

        return entries;
    }

    public LocalStep Receive(int state, int message) =>
        _steps.TryGetValue((state, message), out LocalStep? step)
            ? step
            : Compute(state, message, GroupEvent.Of(Messages[message]));

    /// <summary>The step by an event that is no message.</summary>
    /// <param name="state">The server's state.</param>
    /// <param name="text">A word for the event, one for each that differs.</param>
    /// <param name="happened">The event.</param>
    public LocalStep Take(int state, string text, in GroupEvent happened)
    {
        int id = -1 - Events.Of(happened, text);
        return _steps.TryGetValue((state, id), out LocalStep? step) ? step : Compute(state, id, happened);
    }

    public LocalStep Sync(int state)
    {
        const int Synced = int.MinValue;
        return _steps.TryGetValue((state, Synced), out LocalStep? step)
            ? step
            : Compute(state, Synced, GroupEvent.Of(States[state].Written));
    }

    private LocalStep Compute(int id, int happenedId, in GroupEvent happened)
    {
        GroupState state = States[id].Copy();
        _actions.Clear();
        GroupRole before = state.Role;
        GroupCore.Step(state, happened, _actions);
        var step = new LocalStep { State = IdOf(state), WasLeader = before == GroupRole.Leader };
        List<int> sent = [];
        foreach (GroupAction action in _actions)
        {
            switch (action.Kind)
            {
                case ActionKind.Send:
                    sent.Add(IdOf(action.Message));
                    break;
                case ActionKind.Sync:
                    step.Wrote = true;
                    break;
                case ActionKind.Commit:
                    step.Commit = (int)action.Index;
                    break;
                case ActionKind.Apply:
                    step.Applied = (int)action.Index;
                    break;
                case ActionKind.Lead:
                    step.Leads = true;
                    break;
                case ActionKind.Resign:
                    step.Resigned = true;
                    break;
                case ActionKind.ReadNoted:
                    step.ReadNoted = (int)action.Index;
                    break;
                case ActionKind.ReadConfirmed:
                    step.ReadConfirmed = true;
                    break;
                case ActionKind.Drop:
                    step.Dropped = true;
                    break;
                default:
                    break;
            }
        }

        step.Sent = [.. sent];
        _steps.Add((id, happenedId), step);
        return step;
    }

    /// <summary>A store in words: the server's letter and the incarnation.</summary>
    public static string NameOf(StoreId store) =>
        string.Create(CultureInfo.InvariantCulture, $"{"ABCS"[store.Server.X]}{store.Incarnation}");
}
