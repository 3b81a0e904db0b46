using System.Globalization;
using System.Text.Json;
using CamCube.Services.Workloads.Messages;

namespace CamCube.Experiments.Moves;

/// <summary>
/// LibRIPC §5.4.2: a crowd sends short messages to one name, whose endpoint moves from server to server, and is opened
/// elsewhere when its server is killed. Three servers take turns with it; all others send. Every server counts what it
/// sent and got, by numbers.
/// </summary>
internal sealed class MovesExperiment
{
    private const string Service = "roaming";
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web);
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(200),
        Look = TimeSpan.FromMilliseconds(50),
        Settled = TimeSpan.FromSeconds(1);
    private static readonly long PatienceNanos = (long)TimeSpan.FromSeconds(30).TotalNanoseconds;
    private readonly IMovesCube _cube;
    private readonly int[] _owners,
        _senders;
    private readonly string _name;
    private readonly Action<string> _progress;
    private double _clockMillis;
    private long _wrong,
        _doubled,
        _received,
        _malformed,
        _refused;
    private int _owner,
        _crowd,
        _killed = -1;

    private MovesExperiment(IMovesCube cube, Action<string> progress)
    {
        (_cube, _progress) = (cube, progress);
        int count = cube.Shape.Count,
            owners = Math.Min(3, count - 1);
        _owners = [.. Enumerable.Range(0, owners).Select(i => 1 + (i * (count - 1) / owners))];
        _senders = [.. Enumerable.Range(0, count).Except(_owners)];

        // One of them is also who knows where the name is: when it is killed, that is lost, too.
        _name = RoamingService.NameAt(cube.Shape, cube.Shape.At(_owners[0]));
    }

    /// <summary>Runs all of it.</summary>
    /// <param name="cube">A cube in which nothing was sent yet.</param>
    /// <param name="plan">How much.</param>
    /// <param name="progress">Told now and then what is being done.</param>
    public static MovesResult Run(IMovesCube cube, MovesPlan plan, Action<string>? progress = null) =>
        new MovesExperiment(cube, progress ?? (_ => { })).Run(plan);

    private int Next => _owners[(Array.IndexOf(_owners, _owner) + 1) % _owners.Length];

    private MovesResult Run(MovesPlan plan)
    {
        _cube.Sleep(Settled);
        (List<double> resolves, List<double> sends) = Resolve();
        _owner = _owners[0];
        Order(_owner, $"open?name={_name}");
        Begin(plan);
        _cube.Sleep(Settled);
        List<MoveRound> rounds = [];

        // Each of them gives it away and gets it once before it counts.
        for (int i = -plan.Unmeasured * _owners.Length; i < plan.Moves; i++)
        {
            _progress($"move {i + 1} of {plan.Moves}");
            Keep(rounds, i, Move());
        }

        for (int i = -plan.Unmeasured; i < plan.Kills; i++)
        {
            _progress($"kill {i + 1} of {plan.Kills}");
            Keep(rounds, i, Kill());
        }

        OpeningReport[] all = [.. Reports().SelectMany(report => report.Openings)];
        return new MovesResult(
            rounds,
            resolves,
            sends,
            _wrong + all.Sum(opening => opening.Wrong),
            _doubled + all.Sum(opening => opening.Doubled) + ArrivalsOf(Reports()).Doubled,
            _received + all.Sum(opening => opening.Received),
            _malformed + all.Sum(opening => opening.Malformed),
            _crowd,
            _clockMillis
        );
    }

    private static void Keep(List<MoveRound> rounds, int number, MoveRound round)
    {
        if (number >= 0)
        {
            rounds.Add(round);
        }
    }

    // First calls find a place, second ones know it. Each server's very first makes its messenger ready.
    private (List<double> Resolves, List<double> Sends) Resolve()
    {
        List<double> resolves = [],
            sends = [];
        foreach (int rank in _senders)
        {
            bool isReady = false;
            foreach (int other in Enumerable.Range(0, _cube.Shape.Count).Where(other => other != rank))
            {
                string text = _cube.Tell(rank, "messenger", $"ping?to={_cube.Shape.At(other)}&count=3&size=100");
                using JsonDocument answer = JsonDocument.Parse(text);
                double[] millis =
                [
                    .. answer
                        .RootElement.GetProperty("replies")
                        .EnumerateArray()
                        .Where(reply => reply.GetProperty("answered").GetBoolean())
                        .Select(reply => reply.GetProperty("roundTripMicros").GetDouble() / 1e3),
                ];
                if (millis.Length == 3 && isReady)
                {
                    double known = Math.Min(millis[1], millis[2]);
                    resolves.Add(Math.Max(0, millis[0] - known));
                    sends.Add(known / 2);
                }

                isReady = true;
            }
        }

        return (resolves, sends);
    }

    private void Begin(MovesPlan plan)
    {
        foreach (int rank in _senders)
        {
            Send(rank, plan.Steady, "10ms", false);
            Send(rank, plan.Slow, "100ms", false);
        }

        Send(_senders[^1], plan.Hostile, "50ms", true);

        void Send(int rank, int count, string every, bool isHostile)
        {
            if (count > 0)
            {
                string hostile = isHostile ? "true" : "false";
                Order(rank, $"send?to={_name}&count={count}&every={every}&hostile={hostile}&for=3600s");
                _crowd += count;
            }
        }
    }

    private MoveRound Move()
    {
        (int from, int to) = (_owner, Next);
        Order(to, $"open?name={_name}&standby=true");
        long began = _cube.NowNanos;
        _cube.Sleep(Moment);
        MoveReport move = Read<MoveReport>(_cube.Tell(from, Service, $"move?name={_name}&to={_cube.Shape.At(to)}"));
        if (move.Status != "moved")
        {
            throw new ExperimentException($"the endpoint did not move from {from} to {to}: {move.Status}");
        }

        OpeningReport opening = Await(to);
        _cube.Sleep(Moment);
        long ended = _cube.NowNanos;
        _owner = to;
        _cube.Sleep(Moment);
        return RoundOf(false, (move.Nanos + opening.FirstNanos - opening.OwnedNanos) / 1e6, 0, began, ended, ended);
    }

    private MoveRound Kill()
    {
        (int from, int to) = (_owner, Next);
        Order(to, $"open?name={_name}&patience=600s");
        _cube.Sleep(Moment);

        // What it has seen goes with it.
        List<RoamingReport> all = Reports();
        RoamingReport last = all[from];
        _wrong += last.Openings.Sum(opening => opening.Wrong);
        _received += last.Openings.Sum(opening => opening.Received);
        _malformed += last.Openings.Sum(opening => opening.Malformed);
        _doubled +=
            last.Openings.Sum(opening => opening.Doubled)
            + ArrivalsOf(all).Doubled
            - ArrivalsOf(all.Where(report => report != last)).Doubled;
        long clock = ClockOf(to),
            killed = _cube.NowNanos;
        _cube.Kill(from);
        _killed = from;
        OpeningReport opening = Await(to);
        long first = opening.FirstNanos - clock;
        long noticed = Enumerable
            .Range(0, _cube.Shape.Count)
            .Where(rank => rank != from)
            .Max(rank => Report(rank).Losses.LastOrDefault(loss => loss.Rank == from)?.Nanos - ClockOf(rank) ?? 0);
        _cube.Sleep(Moment);
        long ended = _cube.NowNanos;
        _owner = to;
        _cube.Sleep(Moment);
        MoveRound round = RoundOf(true, (first - killed) / 1e6, (noticed - killed) / 1e6, killed, ended, first);
        _progress("a killed server starts again");
        _cube.Restart(from);
        _killed = -1;
        _cube.Sleep(Settled);
        return round;
    }

    // The messages of that time, as all that run have counted them.
    private MoveRound RoundOf(bool isKill, double gap, double noticed, long from, long until, long later)
    {
        Arrivals arrivals = ArrivalsOf(Reports());
        long sent = 0,
            lost = 0,
            lostLater = 0,
            refused = 0;
        foreach (int rank in _senders)
        {
            long clock = ClockOf(rank);
            IReadOnlyList<SenderReport> all = Read<RoamingReport>(Between(rank, from + clock, until + clock)).Senders,
                afterwards = Read<RoamingReport>(Between(rank, later + clock, until + clock)).Senders;
            sent += all.Sum(sender => sender.End - sender.First);
            lost += all.Sum(sender => arrivals.Missing(sender.Id, sender.First, sender.End));
            lostLater += afterwards.Sum(sender => arrivals.Missing(sender.Id, sender.First, sender.End));
            refused += all.Sum(sender => sender.Refused);
        }

        (long before, _refused) = (_refused, refused);
        return new MoveRound(isKill, gap, noticed, sent, lost, lostLater, refused - before);

        string Between(int rank, long since, long end) =>
            _cube.Tell(rank, Service, string.Create(CultureInfo.InvariantCulture, $"report?from={since}&until={end}"));
    }

    // Until the name is its own there, and a message has come.
    private OpeningReport Await(int rank)
    {
        for (long begin = _cube.NowNanos; _cube.NowNanos - begin < PatienceNanos; )
        {
            OpeningReport opening = Report(rank).Openings.Last(opening => opening.Name == _name);
            if (opening.FirstNanos != 0 && opening.OwnedNanos != 0)
            {
                return opening;
            }

            _cube.Sleep(Look);
        }

        throw new ExperimentException($"server {_cube.Shape.At(rank)} did not become the owner of {_name}");
    }

    private Arrivals ArrivalsOf(IEnumerable<RoamingReport> reports)
    {
        var arrivals = new Arrivals();
        foreach (OpeningReport opening in reports.SelectMany(report => report.Openings).Where(o => o.Name == _name))
        {
            arrivals.Add(opening);
        }

        return arrivals;
    }

    private List<RoamingReport> Reports() =>
        [
            .. Enumerable
                .Range(0, _cube.Shape.Count)
                .Where(rank => rank != _killed)
                .Select(rank => Read<RoamingReport>(_cube.Tell(rank, Service, "report?numbers=true"))),
        ];

    private RoamingReport Report(int rank) => Read<RoamingReport>(_cube.Tell(rank, Service, "report"));

    private void Order(int rank, string order) => _cube.Tell(rank, Service, order);

    // How far a server's clock is ahead: by the quickest of some questions, in the middle of which it was read.
    private long ClockOf(int rank)
    {
        (long Took, long Ahead) best = (long.MaxValue, 0);
        for (int i = 0; i < 5; i++)
        {
            long before = _cube.NowNanos,
                there = long.Parse(_cube.Tell(rank, Service, "clock"), CultureInfo.InvariantCulture),
                after = _cube.NowNanos;
            if (after - before < best.Took)
            {
                best = (after - before, there - ((before + after) / 2));
            }
        }

        _clockMillis = Math.Max(_clockMillis, best.Took / 2e6);
        return best.Ahead;
    }

    private static T Read<T>(string json) =>
        JsonSerializer.Deserialize<T>(json, Json) ?? throw new ExperimentException("a server answers nothing");
}
