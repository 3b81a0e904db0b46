using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Runtime.CompilerServices;

namespace CamCube.TestServices;

/// <summary>A service with a command of every kind.</summary>
[CamCubeService(0x710a, "subject")]
public sealed class SubjectService(IServer server) : CamCubeService, IServiceCommands
{
    private readonly Counter _waiting = server.Counters.Create("waiting", "{call}");
    private readonly Counter _ended = server.Counters.Create("ended", "{call}");
    private readonly Counter _set = server.Counters.Create("set", "1");

    /// <summary>Whom to greet.</summary>
    /// <param name="Name">Who.</param>
    /// <param name="Times">How often.</param>
    public sealed record GreetArguments([Description("who")] string Name, [Range(1, 3)] int Times = 1);

    /// <summary>A greeting.</summary>
    /// <param name="From">Who greets.</param>
    /// <param name="Words">How.</param>
    public sealed record Greeting(Coordinate From, IReadOnlyList<string> Words);

    /// <summary>A number.</summary>
    /// <param name="Value">It.</param>
    public sealed record SetArguments(long Value);

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<GreetArguments, Greeting>("greet", "Says hello.", (a, _) => GreetAsync(a)),
            ServiceCommand.Of<CommandResult>(
                "break",
                "Throws.",
                static _ => throw new FormatException("as it was told")
            ),
            ServiceCommand.Of<CommandResult>("wait", "Waits until nobody waits for it.", WaitAsync),
            ServiceCommand.Of<SetArguments, CommandResult>("set", "Sets a number.", SetAsync, changes: true),
            ServiceCommand.Of<CommandResult>(
                "turn",
                "Turns bytes round.",
                static c => new(CommandResult.Bytes(c.Body.ToArray().Reverse().ToArray(), "application/x-turned")),
                takesBody: true
            ),
            ServiceCommand.Of<CommandResult>(
                "large",
                "Answers more than anybody may.",
                static _ => new(CommandResult.Bytes(new byte[70_000]))
            ),
        ];

    // What the loop keeps of a method, to use it again, must not keep its assembly.
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<Greeting> GreetAsync(GreetArguments arguments)
    {
        await server.DelayAsync(TimeSpan.FromMilliseconds(1));
        return new Greeting(server.Coordinate, [.. Enumerable.Repeat($"hello {arguments.Name}", arguments.Times)]);
    }

    private async ValueTask<CommandResult> WaitAsync(CommandContext context)
    {
        _waiting.Add();
        var gone = new TaskCompletionSource();
        using CancellationTokenRegistration registration = context.Cancel.Register(() => gone.SetResult());
        await gone.Task;
        _ended.Add();
        return CommandResult.Done;
    }

    private ValueTask<CommandResult> SetAsync(SetArguments arguments, CommandContext context)
    {
        _set.Set(arguments.Value);
        return new(CommandResult.Done);
    }
}
