using CamCube.Histories;
using CamCube.Simulator.Swarm;

namespace CamCube.Testing;

/// <summary>
/// A client of a run: it has a home, a server through which it asks, as somebody who is connected there. When that does
/// not run it goes to another. One thing at a time; the threading is <see cref="SwarmCase"/>'s.
/// </summary>
public sealed class SwarmClient
{
    private readonly SwarmCase _run;
    private int _home;
    private int _values;

    internal SwarmClient(SwarmCase run, int number)
    {
        (_run, Number) = (run, number);
        Random = SwarmRandom.Of(run.Seed, $"client {number}");
        _home = Random.Next(run.Cube.Shape.Count);
    }

    /// <summary>Its number in the run, from 0.</summary>
    public int Number { get; }

    /// <summary>Its own draws.</summary>
    public Random Random { get; }

    /// <summary>Its home.</summary>
    public TestServer Server => _run.Cube[_home];

    /// <summary>A value that nobody else has in this run: <c>3.17</c> is the 17th of client 3.</summary>
    public string NextValue() => FormattableString.Invariant($"{Number}.{++_values}");

    /// <summary>Another home.</summary>
    public void MoveTo(Coordinate server)
    {
        _run.Check(_run.Cube.Shape.Contains(server), $"{server} is no server of a {_run.Cube.Shape} cube.");
        _home = _run.Cube.Shape.RankOf(server);
    }

    /// <summary>Another home, drawn among all servers.</summary>
    public void Move() => _home = Random.Next(_run.Cube.Shape.Count);

    /// <summary>Lets a time pass that is drawn, up to this long.</summary>
    public Task RestAsync(TimeSpan most) => _run.DelayAsync(most * Random.NextDouble());

    /// <summary>
    /// Asks the service at the client's home, on the loop of that server, and waits for the answer, until the server
    /// stops or patience ends: then nobody knows. What the call throws is a fault of the service, as in a host, and
    /// fails the run; a service that cannot say says so in its answer.
    /// </summary>
    /// <param name="ask">The call, given the running service.</param>
    /// <param name="patience">How long it waits, in virtual time; null: <see cref="SwarmPlan.Patience"/>.</param>
    /// <typeparam name="TService">The service's class, or an interface of it.</typeparam>
    /// <typeparam name="TResult">What it answers.</typeparam>
    public Task<SwarmAnswer<TResult>> AskAsync<TService, TResult>(
        Func<TService, ValueTask<TResult>> ask,
        TimeSpan? patience = null
    )
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(ask);
        return AskAsync(
            typeof(TService).Name,
            gate =>
                gate.CallAsync<TService, Func<TService, ValueTask<TResult>>, TResult>(
                    static (service, call) => call(service),
                    ask
                ),
            patience
        );
    }

    /// <summary>As <see cref="AskAsync{TService,TResult}"/>, for calls without a result.</summary>
    public Task<SwarmAnswer<bool>> AskAsync<TService>(Func<TService, ValueTask> ask, TimeSpan? patience = null)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(ask);
        return AskAsync<TService, bool>(
            async service =>
            {
                await ask(service);
                return true;
            },
            patience
        );
    }

    /// <summary>Runs a command of a service at the client's home, as an operator or a front end does. One that throws,
    /// or that there is not, fails the run.</summary>
    /// <param name="call">Who is called, with what: <c>CommandCall.Of("hello", "ping", ("to", "1,0,0"))</c>.</param>
    /// <param name="patience">How long it waits, in virtual time; null: <see cref="SwarmPlan.Patience"/>.</param>
    /// <returns>The result, if the command has ended, well or refused. Unknown: its service or server stopped
    /// meanwhile.</returns>
    public async Task<SwarmAnswer<CommandResult>> CommandAsync(CommandCall call, TimeSpan? patience = null)
    {
        ArgumentNullException.ThrowIfNull(call);
        SwarmAnswer<CommandResult> told = await AskAsync(
            $"{call.Service} {call.Command}",
            gate => gate.RunCommandAsync(call),
            patience
        );
        bool isWrong = told is { IsAnswered: true, Value.Status: CommandStatus.Threw or CommandStatus.NotFound };
        _run.Check(!isWrong, $"{call.Service} {call.Command}: {told.Result?.Text}");
        return told is { IsAnswered: true, Value.Status: CommandStatus.NotRunning or CommandStatus.Cancelled }
            ? new SwarmAnswer<CommandResult>(HistoryAnswer.Unknown, null, told.Value.Text)
            : told;
    }

    private async Task<SwarmAnswer<TResult>> AskAsync<TResult>(
        string whom,
        Func<IServerGate, ValueTask<TResult>> ask,
        TimeSpan? patience
    )
    {
        if (!TryBeHome())
        {
            // Or whoever asks in a loop would do it for ever in one moment.
            await _run.DelayAsync(TimeSpan.FromMilliseconds(1));
            return NoAnswer<TResult>(HistoryAnswer.Unavailable, "no server runs");
        }

        TimeSpan most = patience ?? _run.Plan.Patience;
        Coordinate at = Server.Coordinate;
        long wait = _run.BeginWait(() => $"client {Number} waits for {whom} at {at}");
        SwarmTimer timer = _run.TimerAfter(most);
        Task<TResult> asked = BeginAsync(ask);
        try
        {
            Task stop = _run.StopOf(_home);
            await Task.WhenAny(asked, timer.Task, stop);
            if (stop.IsCompleted || !asked.IsCompleted)
            {
                // What comes of it later is nobody's business, whatever it is; nor what a server says that is off.
                _ = asked.ContinueWith(static t => t.Exception, TaskScheduler.Default);
                string why = stop.IsCompleted ? $"{at} was stopped" : $"no answer from {at} within {most}";
                return NoAnswer<TResult>(HistoryAnswer.Unknown, why);
            }

            TResult result = await asked;
            _run.Answers = (_run.Answers.Answered + 1, _run.Answers.Unanswered);
            return new SwarmAnswer<TResult>(HistoryAnswer.Done, result, "");
        }
        catch (Exception e) when (e is ServiceUnavailableException or TimeoutException or OperationCanceledException)
        {
            return NoAnswer<TResult>(HistoryAnswer.Unknown, $"{at}: {e.Message}");
        }
        finally
        {
            timer.Cancel();
            _run.EndWait(wait);
        }
    }

    // As a task, whatever it throws.
    private async Task<TResult> BeginAsync<TResult>(Func<IServerGate, ValueTask<TResult>> ask) =>
        await ask(Server.Gate);

    private bool TryBeHome()
    {
        _run.CheckCurrent();
        if (Server.IsRunning)
        {
            return true;
        }

        int[] running = [.. Enumerable.Range(0, _run.Cube.Shape.Count).Where(rank => _run.Cube[rank].IsRunning)];
        _home = running.Length == 0 ? _home : running[Random.Next(running.Length)];
        return running.Length > 0;
    }

    private SwarmAnswer<T> NoAnswer<T>(HistoryAnswer outcome, string why)
    {
        _run.Answers = (_run.Answers.Answered, _run.Answers.Unanswered + 1);
        return new SwarmAnswer<T>(outcome, default, why);
    }
}
