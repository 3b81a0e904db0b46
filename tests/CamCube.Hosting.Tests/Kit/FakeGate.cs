namespace CamCube.Hosting.Tests.Kit;

/// <summary>A gate behind which no service runs.</summary>
internal sealed class FakeGate(TorusShape shape, int rank, Journal? journal = null) : IServerGate
{
    public Coordinate Coordinate => shape.At(rank);

    public TorusShape Shape => shape;

    public ValueTask<TResult> CallAsync<TService, TArgument, TResult>(
        LoopCall<TService, TArgument, TResult> call, TArgument argument)
        where TService : class => throw new ServiceUnavailableException(typeof(TService).Name);

    public ValueTask<CommandResult> RunCommandAsync(
        string service, string command, IReadOnlyDictionary<string, string> arguments)
    {
        if (service != "echo")
        {
            throw new ServiceUnavailableException(service);
        }

        journal?.Add($"command {command}");
        return command switch
        {
            "say" => new(new CommandResult(true, $"{{\"said\":\"{arguments["text"]}\"}}")),
            "forever" => new(new TaskCompletionSource<CommandResult>().Task),
            _ => new(new CommandResult(false, $"there is no command '{command}'; there is: say")),
        };
    }
}
