namespace CamCube;

/// <summary>The way from any thread to the services of one server.</summary>
public interface IServerGate
{
    /// <summary>The server behind the gate.</summary>
    Coordinate Coordinate { get; }

    /// <summary>Axis sizes.</summary>
    TorusShape Shape { get; }

    /// <summary>
    /// Runs the call on the loop with the implementation that is running then, and brings the result back to a pool
    /// thread of the caller (in simulation: to whoever drives it). Allocates nothing in steady state. When as many
    /// calls are open as <c>CamCube:GateLimit</c> says, the caller waits. Any thread.
    /// </summary>
    /// <exception cref="ServiceUnavailableException">No such service is running here, or the server
    /// stopped.</exception>
    ValueTask<TResult> CallAsync<TService, TArgument, TResult>(
        LoopCall<TService, TArgument, TResult> call,
        TArgument argument
    )
        where TService : class;

    /// <summary>
    /// Runs a command of a service by its configured name (<see cref="IServiceCommands"/>). Whatever happens is said in
    /// the result: nothing is thrown. The result comes when the command has ended, or its service stops. Any thread.
    /// </summary>
    /// <param name="call">Who is called, with what.</param>
    /// <param name="cancel">Ends when the caller wants no result any more; the command is told on its loop.</param>
    ValueTask<CommandResult> RunCommandAsync(CommandCall call, CancellationToken cancel = default);

    /// <summary>
    /// Gives an agent a place in the server's loop, for as long as the cube lives: it stays when the server or the
    /// service is stopped and started again. Its first turn comes after <see cref="ILoopSeat.Wake"/>. Any thread.
    /// </summary>
    /// <returns>The place, or null where the loop cannot wait for descriptors (not Linux, virtual time, a shim that
    /// does not know how): the front end then has threads of its own and uses <see cref="CallAsync"/>.</returns>
    ILoopSeat? TryJoin<TService>(ILoopAgent<TService> agent)
        where TService : class => null;

    /// <summary>The way into a service for threads that want to do their work in it themselves. Any thread.</summary>
    /// <returns>The way, or null where the server's loop lets nobody in: that has to be said when the cube is
    /// made.</returns>
    ISharedService<TService>? TryShare<TService>()
        where TService : class => null;
}
