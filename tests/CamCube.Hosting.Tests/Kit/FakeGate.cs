namespace CamCube.Hosting.Tests.Kit;

/// <summary>A gate behind which only commands of a service echo run.</summary>
internal sealed class FakeGate(TorusShape shape, int rank, Journal? journal = null) : IServerGate
{
    public Coordinate Coordinate => shape.At(rank);

    public TorusShape Shape => shape;

    public ValueTask<TResult> CallAsync<TService, TArgument, TResult>(
        LoopCall<TService, TArgument, TResult> call,
        TArgument argument
    )
        where TService : class => throw new ServiceUnavailableException(typeof(TService).Name);

    public static IReadOnlyList<ServiceCommand> Commands(Journal? journal) =>
        [
            ServiceCommand.Of<SayArguments, object>(
                "say",
                "Says it.",
                (a, _) =>
                {
                    journal?.Add("command say");
                    return new(new { Said = a.Text });
                }
            ),
            ServiceCommand.Of<CommandResult>(
                "forever",
                "Never ends.",
                _ =>
                {
                    journal?.Add("command forever");
                    return new(new TaskCompletionSource<CommandResult>().Task);
                }
            ),
        ];

    public ValueTask<CommandResult> RunCommandAsync(CommandCall call, CancellationToken cancel = default) =>
        Commands(journal).Single(command => command.Name == call.Command).RunAsync(call, cancel);

    private sealed record SayArguments(string Text);
}
