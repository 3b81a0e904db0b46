using CamCube.Runtime.Cubes;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Services;

namespace CamCube.Runtime.Gates;

/// <summary>The gate of one vertex. It outlives the server's runs: after a restart it leads to the new one.</summary>
internal sealed class ServerGate(LoopInbox inbox, Coordinate coordinate, TorusShape shape, int limit) : IVertexGate
{
    private ServerRuntime? _current;
    private readonly GateRoom _room = new(limit, inbox.ContinuesInline);

    public Coordinate Coordinate => coordinate;

    public TorusShape Shape => shape;

    public LoopInbox Inbox => inbox;

    /// <summary>Told the name of an agent that threw, and what. On the loop. Set before the loop starts.</summary>
    public Action<string, Exception>? AgentEnded { get; init; }

    /// <inheritdoc/>
    public ServerRuntime? Current
    {
        get => Volatile.Read(ref _current);
        set => Volatile.Write(ref _current, value);
    }

    public ValueTask<TResult> CallAsync<TService, TArgument, TResult>(
        LoopCall<TService, TArgument, TResult> call,
        TArgument argument
    )
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(call);
        return _room.TryEnter()
            ? GateCall<TService, TArgument, TResult>.Start(this, call, argument)
            : WaitAndCallAsync(call, argument);
    }

    public async ValueTask<CommandResult> RunCommandAsync(CommandCall call, CancellationToken cancel = default)
    {
        ArgumentNullException.ThrowIfNull(call);
        try
        {
            await _room.EnterAsync(cancel).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return CommandResult.Not(
                CommandStatus.Cancelled,
                $"nobody waited any more before {call.Command} could begin."
            );
        }

        var run = new CommandRun(this, call);
        inbox.Post(run);
        CancellationTokenRegistration gone = cancel.UnsafeRegister(static state => ((CommandRun)state!).Cancel(), run);
        try
        {
            return await run.Result.ConfigureAwait(false);
        }
        finally
        {
            Ended();
            await gone.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Starts a service that does not run: one that threw, or was stopped. Done if it runs already. Any
    /// thread.</summary>
    public Task<CommandResult> StartServiceAsync(string service)
    {
        var start = new ServiceStart(this, service);
        inbox.Post(start);
        return start.Result;
    }

    /// <summary>Puts other code in the places of services of a server. Any thread.</summary>
    /// <param name="context">What its loop has.</param>
    /// <param name="rank">The server.</param>
    /// <param name="next">The new definitions.</param>
    public Task<ReplaceResult> ReplaceServicesAsync(
        CubeContext context,
        int rank,
        IReadOnlyList<ServiceDefinition> next
    )
    {
        var replacement = new ServiceReplacement(this, context, rank, next);
        inbox.Post(replacement);
        return replacement.Result;
    }

    public ILoopSeat? TryJoin<TService>(ILoopAgent<TService> agent)
        where TService : class =>
        OperatingSystem.IsLinux() && inbox.Agents is { } agents ? new AgentSeat<TService>(this, agents, agent) : null;

    public ISharedService<TService>? TryShare<TService>()
        where TService : class => inbox.Lock is { } door ? new SharedService<TService>(this, door) : null;

    public void Ended() => _room.Leave();

    private async ValueTask<TResult> WaitAndCallAsync<TService, TArgument, TResult>(
        LoopCall<TService, TArgument, TResult> call,
        TArgument argument
    )
        where TService : class
    {
        await _room.EnterAsync().ConfigureAwait(false);
        return await GateCall<TService, TArgument, TResult>.Start(this, call, argument).ConfigureAwait(false);
    }
}
