namespace CamCube.FrontEnds.Tests;

/// <summary>A gate to a loop that cannot wait for sockets, as elsewhere than on Linux.</summary>
internal sealed class ThreadGate(IServerGate gate) : IServerGate
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
