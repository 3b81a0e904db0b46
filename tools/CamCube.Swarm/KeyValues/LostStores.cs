using System.Text;
using CamCube.Services.KeyValue;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Salvage;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.KeyValues;

/// <summary>
/// Most stores of a group are gone for good, and an operator goes on without them (<c>kv recover</c>): asks at one
/// server or at two, again when that is refused, and puts in empty disks. One of the disks may come back later: nobody
/// may let it in.
/// </summary>
internal sealed class LostStores
{
    private const int OneInMillis = 200;
    private const int MostTimes = 2;
    private readonly SwarmCube _cube;
    private readonly KeyValueSettings _settings;
    private readonly KeyValueWatch _watch;
    private readonly PromiseChecker _check = new("kv-given-up");
    private readonly Random _random;
    private readonly HashSet<int> _named = [];
    private readonly List<(int Rank, long Nanos)> _away = [];
    private readonly List<Attempt> _attempts = [];
    private HashSet<string>? _only;
    private (int Rank, StoreId Store, long Nanos)? _kept;
    private long _nextNanos;
    private bool _isStill = true;
    private int _times;

    public LostStores(SwarmCube cube, KeyValueSettings settings, KeyValueWatch watch)
    {
        (_cube, _settings, _watch) = (cube, settings, watch);
        _random = SwarmRandom.Of(cube.Options.Seed, "kv lost");
    }

    /// <summary>What is checked.</summary>
    public Checker Checker => _check;

    /// <summary>Times that the operator was done.</summary>
    public long Done { get; private set; }

    /// <summary>Nothing is left to do for the operator.</summary>
    public bool IsDone =>
        _named.Count == 0 && _attempts.Count == 0 && _away.Count == 0 && _kept is null && !GivenUp().Any();

    /// <summary>For messages: what is left to do.</summary>
    public string Left =>
        $"named: {string.Join(" ", _named)}; away: {_away.Count}; kept: {_kept}; "
        + $"given up: {string.Join(" ", GivenUp())}; last said: {LastSaid}";

    private string LastSaid { get; set; } = "";

    private long Now => _cube.Cube.NowNanos;

    private long Silence => (long)_settings.Store.Silence.TotalNanoseconds;

    /// <summary>Whether nothing more may be lost.</summary>
    public void StandStill(bool isStill) => _isStill = isStill;

    /// <summary>Whether a server that is off may be started by others: one whose disk has been given up comes back when
    /// that is done.</summary>
    public bool MayRevive(int rank) => _kept?.Rank != rank;

    /// <summary>Once per virtual millisecond.</summary>
    /// <param name="isEnding">All else is over: what there is to do is done now.</param>
    public void Step(bool isEnding)
    {
        if (!_isStill || isEnding)
        {
            Work();
        }

        LookAtAttempts();
        if (_named.Count > 0 && _attempts.Count == 0 && Now >= _nextNanos)
        {
            for (int operators = _random.Next(3) == 0 ? 2 : 1; operators > 0; operators--)
            {
                Ask();
            }

            _nextNanos = Now + Silence + _random.NextInt64(3 * Silence);
        }
    }

    // Servers stop, and start with other disks.
    private void Work()
    {
        foreach ((int rank, _) in _away.Where(a => a.Nanos <= Now).ToArray())
        {
            _cube.Revive(rank);
        }

        _away.RemoveAll(a => a.Nanos <= Now);
        if (!_isStill && _named.Count == 0 && _kept is null && _times < MostTimes && _random.Next(OneInMillis) == 0)
        {
            Lose();
        }

        LookAtKept();
        foreach (int rank in GivenUp().Where(_ => _random.Next(20) == 0).ToArray())
        {
            _cube.KillForGood(rank);
            _away.Add((rank, Now + _random.NextInt64(Silence)));
        }
    }

    private IEnumerable<int> GivenUp() =>
        Enumerable
            .Range(0, _cube.Truth.Shape.Count)
            .Where(rank => KeyValueRest.StoreAt(_cube, rank)?.Host.Failure == Bans.Words);

    private void Lose()
    {
        byte[] key = Encoding.UTF8.GetBytes(_settings.DrawKey(_random));
        GroupId group = _watch.GroupOf(key);
        int[] ranks =
        [
            .. group.Planned(_cube.Truth.Shape, _settings.Store.Replicas).Select(at => _cube.Truth.Shape.RankOf(at)),
        ];
        if (
            !Array.TrueForAll(
                ranks,
                rank => KeyValueRest.StoreAt(_cube, rank)?.Host.Find(group)?.State.Epoch is not null
            )
        )
        {
            return;
        }

        _random.Shuffle(ranks);
        bool isAll = _random.Next(4) == 0;
        ranks = isAll ? ranks : ranks[..((ranks.Length / 2) + 1)];
        if (!StaysOneWithout(ranks))
        {
            return;
        }

        _times++;
        int kept = _random.Next(3) == 0 ? ranks[0] : -1;
        foreach (int rank in ranks)
        {
            if (rank == kept)
            {
                _kept = (rank, KeyValueRest.StoreAt(_cube, rank)!.Host.Store, long.MaxValue);
                _cube.Kill(rank);
            }
            else
            {
                _cube.KillForGood(rank);
            }

            _named.Add(rank);
            if (rank != kept && _random.Next(2) == 0)
            {
                _away.Add((rank, Now + _random.NextInt64(10 * Silence)));
            }
        }

        (_only, _nextNanos) = (null, Now + _random.NextInt64(5 * Silence));
    }

    // The disk that was thought to be lost comes back when others have gone on without it.
    private void LookAtKept()
    {
        if (_kept is not { } kept || _named.Count > 0)
        {
            return;
        }

        if (kept.Nanos == long.MaxValue)
        {
            _cube.Revive(kept.Rank);
            _kept = kept with { Nanos = Now };
            return;
        }

        KeyValueService? store = KeyValueRest.StoreAt(_cube, kept.Rank);
        if (store?.Host.IsOpen != true)
        {
            // It opens its disk, or is off once more.
            _kept = store?.Host.Failure == Bans.Words ? null : kept with { Nanos = Now };
            _check.NoteRight(1);
            return;
        }

        bool isLate = Now - kept.Nanos > 20 * Silence && _isStill;
        _check.Check(
            !isLate,
            Now,
            () => $"{kept.Store} was given up, came back, and is let in: {store.Host.Store}, {store.Host.Failure}"
        );
        _kept = isLate ? null : _kept;
    }

    private void Ask()
    {
        int rank = _random.Next(_cube.Truth.Shape.Count);
        if (
            !_cube.Truth.Runs(rank)
            || _cube.Cube.IsPaused(rank)
            || KeyValueRest.StoreAt(_cube, rank) is not { } store
            || !store.Host.IsOpen
        )
        {
            return;
        }

        var attempt = new Attempt(_times, rank, _cube.StopsOf(rank), store, _only);
        _attempts.Add(attempt);
        HashSet<Coordinate> named = [.. _named.Select(_cube.Truth.Shape.At)];
        IServer server = _cube.Cube.ServerOf<KeyValueService>(rank);
        server.Loop.Run(async () =>
            attempt.Outcome = await store.Recoverer.RunAsync(named, attempt.Only is not null, attempt.Only)
        );
    }

    private void LookAtAttempts()
    {
        foreach (Attempt attempt in _attempts.ToArray())
        {
            bool isGone =
                _cube.StopsOf(attempt.Rank) != attempt.Run
                || KeyValueRest.StoreAt(_cube, attempt.Rank) != attempt.Store;
            if (!isGone && attempt.Outcome is null)
            {
                continue;
            }

            _attempts.Remove(attempt);
            if (attempt.Outcome is { } outcome && attempt.Times == _times)
            {
                // One for stores that were lost before those that are now says nothing of these.
                Note(attempt, outcome);
            }
        }
    }

    // First it is only looked which stores that would be, then they are given up, and no others.
    private void Note(Attempt attempt, RecoverOutcome outcome)
    {
        LastSaid = $"{outcome.Refusal}, left {outcome.Left}, unwritten {outcome.Unwritten.Count}";
        if (outcome.Refusal is not null)
        {
            _only = null;
        }
        else if (attempt.Only is null)
        {
            _only = [.. outcome.Lost.Select(GroupText.Of)];
        }
        else if (outcome.Left == 0 && outcome.Unwritten.Count == 0)
        {
            Done += _named.Count > 0 ? 1 : 0;
            foreach (int rank in _named.Where(rank => !_cube.Truth.Runs(rank) && _kept?.Rank != rank))
            {
                _away.Add((rank, Now + _random.NextInt64(10 * Silence)));
            }

            _named.Clear();
        }
    }

    // The views of the others must find that they are the cube.
    private bool StaysOneWithout(int[] ranks)
    {
        Array.ForEach(ranks, rank => _cube.Truth.SetRuns(rank, false));
        bool stays = _cube.Truth.IsOneMajority();
        Array.ForEach(ranks, rank => _cube.Truth.SetRuns(rank, true));
        return stays;
    }

    private sealed class Attempt(int times, int rank, int run, KeyValueService store, HashSet<string>? only)
    {
        public int Times => times;

        public int Rank => rank;

        public int Run => run;

        public KeyValueService Store => store;

        public HashSet<string>? Only => only;

        public RecoverOutcome? Outcome { get; set; }
    }
}
