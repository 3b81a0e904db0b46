namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>A gate whose server's loop waits for no sockets, as outside of Linux: clients are served from threads of
/// the pool.</summary>
internal sealed class PoolGate(IServerGate gate) : IServerGate
{
    public Coordinate Coordinate => gate.Coordinate;

    public TorusShape Shape => gate.Shape;

    public ValueTask<TResult> CallAsync<TService, TArgument, TResult>(
        LoopCall<TService, TArgument, TResult> call,
        TArgument argument
    )
        where TService : class => gate.CallAsync(call, argument);

    public ValueTask<CommandResult> RunCommandAsync(CommandCall call, CancellationToken cancel = default) =>
        gate.RunCommandAsync(call, cancel);
}
