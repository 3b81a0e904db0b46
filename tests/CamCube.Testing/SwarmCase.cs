using CamCube.Histories.Recording;
using CamCube.Simulator.Swarm;

namespace CamCube.Testing;

/// <summary>
/// One run of a scenario on a cube of its own, under faults that were drawn from a seed. The scenario and all its
/// clients are one thread: after an await they go on between two moments of the cube, one after the other. So they need
/// no locks, and must await nothing that does not end in virtual time (no Task.Delay, Task.Run, files or sockets).
/// </summary>
public sealed class SwarmCase
{
    private const string UnderFaults = "ms under faults";
    private readonly SwarmLoop _loop;
    private readonly Dictionary<string, int> _given;
    private readonly SortedDictionary<string, SwarmNumber> _numbers = new(StringComparer.Ordinal);
    private readonly List<IRecordedHistory> _histories = [];
    private readonly SortedDictionary<long, Func<string>> _waits = [];
    private RegisterHistory? _registers;
    private readonly Dictionary<int, TaskCompletionSource> _stops = [];
    private long _waited;
    private int _clients;

    internal SwarmCase(
        SwarmPlan plan,
        ulong seed,
        TestCube cube,
        SwarmLoop loop,
        IReadOnlyDictionary<string, int> given
    )
    {
        (Plan, Seed, Cube, _loop, _given) = (plan, seed, cube, loop, new(given));
        Random = SwarmRandom.Of(seed, "scenario");
        cube.Stopped += EndRunOf;
    }

    /// <summary>The seed of the run.</summary>
    public ulong Seed { get; }

    /// <summary>The cube. Look, and do to it what you like; time is not yours to move (Advance, Await, AwaitUntil,
    /// AwaitConverged, Shutdown): await instead.</summary>
    public TestCube Cube { get; }

    /// <summary>Draws for the scenario; equal in every run of the seed. Each client has its own.</summary>
    public Random Random { get; }

    /// <summary>Virtual time since the begin of the run.</summary>
    public TimeSpan Now => TimeSpan.FromTicks(Cube.NowNanos / 100);

    /// <summary>Whether faults may still begin: <c>while (run.IsUnderFaults)</c> is a crowd that works for as long as
    /// there are any. Shrinking makes it a shorter time.</summary>
    public bool IsUnderFaults => !WantsCalm && Now < TimeSpan.FromMilliseconds(MillisUnderFaults());

    /// <summary>Linearizable registers, each with a key. Checked when the scenario has ended.</summary>
    public RegisterHistory Registers
    {
        get
        {
            if (_registers is null)
            {
                Add(_registers = new RegisterHistory(() => Cube.NowNanos, "register"));
            }

            return _registers;
        }
    }

    internal SwarmPlan Plan { get; }

    /// <summary>What is wrong; the first thing that is.</summary>
    internal SwarmFinding? Finding { get; private set; }

    /// <summary>The scenario wants faults to end.</summary>
    internal bool WantsCalm { get; private set; }

    /// <summary>Numbers that were drawn.</summary>
    internal IReadOnlyCollection<SwarmNumber> Numbers => _numbers.Values;

    internal IReadOnlyList<IRecordedHistory> Histories => _histories;

    /// <summary>Who waits for what, the one who has waited longest first.</summary>
    internal IReadOnlyList<string> Waits => [.. _waits.Values.Select(static text => text())];

    /// <summary>Answers that clients got, and times at which nobody knew.</summary>
    internal (long Answered, long Unanswered) Answers { get; set; }

    /// <summary>A sum of contributions, each of which has to count exactly once. Checked when the scenario has
    /// ended.</summary>
    /// <param name="name">What is summed; the same name gives the same history.</param>
    public SumHistory Sum(string name = "sum") =>
        Find<SumHistory>(name) ?? Add(new SumHistory(() => Cube.NowNanos, name));

    /// <summary>A set, log or mailbox that has to hold each element exactly once. Checked when the scenario has
    /// ended.</summary>
    /// <param name="name">What it is; the same name gives the same history.</param>
    public SetHistory Set(string name = "set") =>
        Find<SetHistory>(name) ?? Add(new SetHistory(() => Cube.NowNanos, name));

    /// <summary>A history of your own, checked when the scenario has ended.</summary>
    /// <returns>The history.</returns>
    public T Add<T>(T history)
        where T : IRecordedHistory
    {
        ArgumentNullException.ThrowIfNull(history);
        _histories.Add(history);
        return history;
    }

    /// <summary>
    /// A number that is drawn from the seed and that shrinking makes smaller: rounds, keys, lengths. The message of a
    /// failure says it.
    /// </summary>
    /// <param name="name">Its name; letters, digits, spaces and hyphens. The same name gives the same number.</param>
    /// <param name="least">The least, and simplest.</param>
    /// <param name="most">The most.</param>
    /// <exception cref="ArgumentException">A name that is none, or a range without a number.</exception>
    public int Draw(string name, int least, int most)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(least, most);
        if (!name.All(static c => char.IsAsciiLetterOrDigit(c) || c is ' ' or '-') || name.Trim() != name)
        {
            throw new ArgumentException($"'{name}' has more than letters, digits, spaces and hyphens.", nameof(name));
        }

        if (name == UnderFaults)
        {
            throw new ArgumentException($"'{name}' is what a message calls the time under faults.", nameof(name));
        }

        return NumberOf(name, least, most, (int)SwarmRandom.Of(Seed, $"number {name}").NextInt64(least, most + 1L));
    }

    /// <summary>Lets virtual time pass.</summary>
    public async Task DelayAsync(TimeSpan time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero);
        await TimerAfter(time).Task;
    }

    /// <summary>Lets virtual time pass until a condition holds; it is looked at once a millisecond.</summary>
    /// <param name="condition">What is waited for.</param>
    /// <param name="what">Its name, for the message when it never comes.</param>
    public async Task UntilAsync(Func<bool> condition, string what)
    {
        ArgumentNullException.ThrowIfNull(condition);
        long wait = BeginWait(() => $"the scenario waits until {what}");
        while (!condition())
        {
            await DelayAsync(TimeSpan.FromMilliseconds(1));
        }

        EndWait(wait);
    }

    /// <summary>One more client.</summary>
    public SwarmClient CreateClient() => new(this, _clients++);

    /// <summary>Clients, each at a server that is drawn, that do the same at the same time. Ends when all have
    /// ended.</summary>
    /// <param name="clients">How many.</param>
    /// <param name="act">What each does. The first to throw fails the run at once.</param>
    public async Task CrowdAsync(int clients, Func<SwarmClient, Task> act)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(clients, 1);
        ArgumentNullException.ThrowIfNull(act);
        SwarmClient[] all = [.. Enumerable.Range(0, clients).Select(_ => CreateClient())];
        await Task.WhenAll(all.Select(client => ActAsync(client, act)));
    }

    /// <summary>
    /// Ends all faults: every server runs and every cable works, and all servers have come to know it. What is asked
    /// afterwards has to be answered. A scenario that does not call it is checked for what it saw under faults.
    /// </summary>
    public async Task CalmAsync()
    {
        WantsCalm = true;
        long wait = BeginWait(() => "the scenario waits for the views of all servers to be equal (CalmAsync)");
        await DelayAsync(Cube.DetectionTime * 1.5);
        while (!Cube.IsConverged())
        {
            await DelayAsync(TimeSpan.FromMilliseconds(5));
        }

        EndWait(wait);
    }

    /// <summary>Fails the run if something does not hold. Assertions of a test framework do as well.</summary>
    /// <param name="holds">Whether it holds.</param>
    /// <param name="what">What does not hold otherwise; begins the message.</param>
    public void Check(bool holds, string what)
    {
        if (!holds)
        {
            throw new SwarmCheckException(what);
        }
    }

    internal void Fail(SwarmFinding finding) => Finding ??= finding;

    internal void Fail(Exception e) =>
        Fail(
            e switch
            {
                SwarmCheckException => new SwarmFinding("check", () => $"A check fails: {e.Message}", e),
                _ => new SwarmFinding(
                    $"exception {e.GetType().FullName}",
                    () => $"The scenario threw {e.GetType().Name}: {e.Message}",
                    e
                ),
            }
        );

    internal SwarmTimer TimerAfter(TimeSpan time) => _loop.TimerAt(Cube.NowNanos + Math.Max(100, time.Ticks * 100));

    internal void CheckCurrent()
    {
        if (!_loop.IsCurrent)
        {
            throw new InvalidOperationException(
                "This is not where the scenario runs: no Task.Run and no ConfigureAwait(false) in it."
            );
        }
    }

    /// <summary>Ends when a server stops that runs now.</summary>
    internal Task StopOf(int rank)
    {
        if (!_stops.TryGetValue(rank, out TaskCompletionSource? stop))
        {
            _stops.Add(rank, stop = new TaskCompletionSource());
        }

        return stop.Task;
    }

    internal long BeginWait(Func<string> text)
    {
        CheckCurrent();
        long began = Cube.NowNanos;
        _waits.Add(++_waited, () => FormattableString.Invariant($"{text()}, since {began / 1e6:F3} ms"));
        return _waited;
    }

    internal void EndWait(long wait) => _waits.Remove(wait);

    internal async Task RunAsync(Func<SwarmCase, Task> scenario)
    {
        try
        {
            await scenario(this);
        }
        catch (Exception e)
        {
            Fail(e);
        }
    }

    private void EndRunOf(int rank)
    {
        if (_stops.Remove(rank, out TaskCompletionSource? stop))
        {
            stop.SetResult();
        }
    }

    private int MillisUnderFaults()
    {
        int most = (int)Math.Ceiling(Plan.Duration.TotalMilliseconds);
        return NumberOf(UnderFaults, 0, most, most);
    }

    private int NumberOf(string name, int least, int most, int drawn)
    {
        if (!_numbers.TryGetValue(name, out SwarmNumber? number))
        {
            int value = _given.TryGetValue(name, out int given) ? Math.Clamp(given, least, most) : drawn;
            _numbers.Add(name, number = new SwarmNumber(name, value, least));
        }

        return number.Value;
    }

    private async Task ActAsync(SwarmClient client, Func<SwarmClient, Task> act)
    {
        long wait = BeginWait(() => $"client {client.Number} has not ended");
        try
        {
            await act(client);
        }
        catch (Exception e)
        {
            Fail(e);
            throw;
        }

        EndWait(wait);
    }

    private T? Find<T>(string name)
        where T : class, IRecordedHistory => _histories.OfType<T>().FirstOrDefault(h => h.Name == name);
}
