using CamCube.Runtime.Services;
using CamCube.Services.KeyValue;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.KeyValues;

/// <summary>
/// Clients of the key-value store on all servers of a swarm run, and what must be so of their answers, of all groups,
/// and of what is left when all is over and every server is back.
/// </summary>
public sealed class KeyValueWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "kv";

    /// <summary>The same, with faults of disks, and files of the log so small that they are compacted. Another name, so
    /// that seeds of the first stay what they are.</summary>
    public const string Disks = "kv-disks";

    /// <summary>The same as the first, with one, three or five copies, and a table whose reads need no question for a
    /// time, or whose changes are answered when a majority has them, as a seed says. Servers stand still in front of
    /// looks at the clock, too.</summary>
    public const string Modes = "kv-modes";

    /// <summary>The same as the first, and most stores of a group are gone for good now and then: an operator goes on
    /// without them, and what is lost then may be.</summary>
    public const string Lost = "kv-lost";

    /// <summary>In its place, for tests and never drawn: a store that gives others the half of a state that it has
    /// itself so far.</summary>
    public const string Half = "kv-half";

    /// <summary>In its place, for tests and never drawn: a store that was given up and is let in again.</summary>
    public const string LetIn = "kv-let-in";

    /// <summary>In its place, for tests and never drawn: a store that looks at the clock before the value.</summary>
    public const string ClockFirst = "kv-clock-first";

    /// <summary>In its place, for tests and never drawn: a store that answers before disks have synced.</summary>
    public const string Unsynced = "kv-unsynced";

    /// <summary>In its place, for tests and never drawn: a store whose leaders answer reads without asking.</summary>
    public const string Unconfirmed = "kv-unconfirmed";

    /// <summary>In its place, for tests and never drawn: a store that forgets at a change of leader what was done.
    /// </summary>
    public const string Forgetful = "kv-forgetful";

    /// <summary>In its place, for tests and never drawn: a store that does not keep its votes.</summary>
    public const string Unbound = "kv-unbound";

    /// <summary>In its place, for tests and never drawn: a store that uses other members before the old ones have
    /// agreed.</summary>
    public const string Early = "kv-early";

    /// <summary>In its place, for tests and never drawn: a store whose new members act before they have the state.
    /// </summary>
    public const string Stateless = "kv-stateless";

    /// <summary>In its place, for tests and never drawn: a store that cuts off rot like a torn write.</summary>
    public const string RotCut = "kv-rot-cut";

    /// <summary>In its place, for tests and never drawn: a store that forgets deletes at once.</summary>
    public const string Undeleted = "kv-undeleted";

    /// <summary>In its place, for tests and never drawn: a store that shows a part of a batch before the rest.
    /// </summary>
    public const string Torn = "kv-torn";

    /// <summary>In its place, for tests and never drawn: a store whose id a disk in its place has, too.</summary>
    public const string SameId = "kv-same-id";

    /// <summary>In its place, for tests and never drawn: a store in memory that has the id of the one before.</summary>
    public const string SameMemory = "kv-same-memory";

    private static readonly Dictionary<string, PlantedMistake> Mistakes = new()
    {
        [Name] = PlantedMistake.None,
        [Disks] = PlantedMistake.None,
        [Modes] = PlantedMistake.None,
        [Lost] = PlantedMistake.None,
        [LetIn] = PlantedMistake.ForgetsBans,
        [Half] = PlantedMistake.GivesHalf,
        [ClockFirst] = PlantedMistake.ClockBeforeValue,
        [Unsynced] = PlantedMistake.SaysUnsynced,
        [Unconfirmed] = PlantedMistake.ReadsUnconfirmed,
        [Forgetful] = PlantedMistake.ForgetsRequests,
        [Unbound] = PlantedMistake.VotesUnsynced,
        [Early] = PlantedMistake.UsesEpochEarly,
        [Stateless] = PlantedMistake.ActsWithoutState,
        [RotCut] = PlantedMistake.CutsRot,
        [Undeleted] = PlantedMistake.DropsDeletes,
        [Torn] = PlantedMistake.TearsBatches,
        [SameId] = PlantedMistake.KeepsStoreId,
        [SameMemory] = PlantedMistake.KeepsStoreId,
    };

    private readonly KeyValueSettings _settings;
    private readonly KeyValueHistory _history = new();
    private readonly KeyValueWatch _watch;
    private readonly PromiseWatch _promises;
    private readonly MemoryWatch _memory;
    private readonly KeyValueEnding _ending;
    private const int Counters = 2;
    private const int Batchers = 3;
    private readonly List<KeyValueClient> _clients = [];
    private readonly List<KeyValueCounter> _counters = [];
    private readonly List<KeyValueBatcher> _batchers = [];
    private readonly HarmedDisks _disks;
    private SwarmCube? _cube;
    private PowerFailures? _power;
    private LostStores? _lost;

    /// <summary>Clients of a run.</summary>
    public KeyValueWorkload(SwarmOptions options)
    {
        _settings = new KeyValueSettings(options);
        _disks = new HarmedDisks(options);
        _watch = new KeyValueWatch(options.ToShape(), () => _cube?.Cube.NowNanos ?? 0);
        _promises = new PromiseWatch(_watch, options.ToShape(), () => _cube?.Cube.NowNanos ?? 0);
        _memory = new MemoryWatch(options.ToShape(), () => _cube);
        _ending = new KeyValueEnding(_settings, _history, _clients, _watch);
        PlantedMistake mistake = Mistakes[options.Services.First(Mistakes.ContainsKey)];
        Services =
        [
            ServiceDefinition.Of(activation =>
            {
                var store = new KeyValueService(activation.Server, _settings.Store) { Mistake = mistake };
                store.Host.Watch = _watch.Attach() + _promises.Attach(store.Host) + _memory.Note;
                return store;
            }),
        ];
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceDefinition> Services { get; }

    /// <inheritdoc/>
    public IReadOnlyList<Checker> Checkers =>
        [
            .. _watch.Checkers,
            .. _promises.Checkers,
            .. _ending.Checkers,
            .. _history.Checkers,
            .. _settings.IsInMemory ? [_memory.Checker] : Array.Empty<Checker>(),
            .. _lost is null ? Array.Empty<Checker>() : [_lost.Checker],
        ];

    /// <inheritdoc/>
    public bool IsIdle => _ending.IsOver;

    /// <summary>The services that a run may name.</summary>
    public static IReadOnlyCollection<string> Names => Mistakes.Keys;

    /// <summary>Faults that only runs of a service have that asks for them.</summary>
    public static IReadOnlyCollection<FaultKind> AskedBy(string service) =>
        service switch
        {
            Disks => DiskFaults,
            Modes or ClockFirst => [FaultKind.PauseAtClock],
            _ => [],
        };

    /// <summary>Faults of disks that its runs have.</summary>
    public static IReadOnlyCollection<FaultKind> DiskFaults => HarmedDisks.Kinds;

    /// <summary>Whether a run has clients of the store, or one of its planted bugs.</summary>
    public static bool IsWanted(SwarmOptions options) => options.Services.Any(Mistakes.ContainsKey);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        if (_settings.SyncDelay > TimeSpan.Zero)
        {
            cube.Cube.DiskFaults.Add(new DiskSlowness(_settings.SyncDelay));
        }

        for (int i = 0; i < _settings.Clients + _settings.Crowd; i++)
        {
            _clients.Add(new KeyValueClient(cube, _settings, _history, _watch, i));
        }

        for (int i = 0; i < Counters; i++)
        {
            _counters.Add(new KeyValueCounter(cube, _settings, _history, i));
        }

        for (int i = 0; i < Batchers; i++)
        {
            _batchers.Add(new KeyValueBatcher(cube, _settings, _history, i, Batchers));
        }

        _power = _settings.HasPowerFailures ? new PowerFailures(cube, _settings, _watch) : null;
        _lost = _settings.LosesStores ? new LostStores(cube, _settings, _watch) : null;
        _watch.Members = MembersOf;
        _ending.Begin(cube, _lost);
    }

    /// <inheritdoc/>
    public bool MayHarm(int rank, FaultKind kind) => _disks.MayHarm(rank, kind);

    /// <inheritdoc/>
    public bool MayThrow(string fault) => _disks.MayThrow(fault);

    /// <inheritdoc/>
    public void StandStill(bool isStill)
    {
        _power?.StandStill(isStill);
        _lost?.StandStill(isStill);
    }

    /// <inheritdoc/>
    public void Step(bool mayBegin)
    {
        _lost?.Step(!mayBegin);
        if (!mayBegin)
        {
            _ending.Step();
            _counters.ForEach(static c => c.End());
            _batchers.ForEach(static b => b.End());
            return;
        }

        _power?.Step();
        _counters.ForEach(static c => c.Step());
        _batchers.ForEach(static b => b.Step());
        foreach (KeyValueClient client in _clients)
        {
            if (client.Look())
            {
                client.Draw();
            }
        }
    }

    /// <inheritdoc/>
    public void Finish() => _history.Judge(_cube!.Cube.NowNanos, _watch, _settings.IsInMemory ? _memory : null);

    /// <inheritdoc/>
    public void AddTo(SwarmTally tally)
    {
        _clients.ForEach(c => tally.Add(c.Tally));
        _counters.ForEach(c => tally.Add(c.Tally));
        _batchers.ForEach(b => tally.Add(b.Tally));
        tally.Add("kv leader", _watch.Leaders);
        tally.Add("kv epoch ended", _watch.Changes);
        tally.Add("kv group in memory begun anew", _memory.Count);
        tally.Add("kv power failure of a group", _power?.Failures ?? 0);
        tally.Add("kv steps of the checker", _history.Steps);
        if (_lost is not null)
        {
            tally.Add("kv stores given up by hand", _lost.Done);
            tally.Add("kv generation begun by hand", _watch.Generations.Count);
        }

        _ending.AddTo(tally);
    }

    private IEnumerable<Member> MembersOf(GroupId group)
    {
        for (int rank = 0; rank < _cube!.Truth.Shape.Count; rank++)
        {
            if (KeyValueRest.StoreAt(_cube, rank)?.Host.Find(group) is { } member)
            {
                yield return member;
            }
        }
    }
}
