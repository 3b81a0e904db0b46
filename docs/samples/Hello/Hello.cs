using System.ComponentModel;
using System.Text;
using CamCube;
using CamCube.Messaging;

namespace HelloSample;

/// <summary>Greets other servers, and answers when it is greeted.</summary>
[CamCubeService(0x7003, "hello", Header = typeof(HelloHeader))]
public sealed class Hello(IServer server) : MessageService<HelloHeader>(server), IServiceCommands
{
    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [ServiceCommand.Of<GreetArguments, CommandResult>("greet", "Greets a server, tells its answer.", GreetAsync)];

    /// <inheritdoc/>
    protected override void OnMessage(in IncomingMessage<HelloHeader> message)
    {
        if (IsQuestion(message))
        {
            Answer(message, default, Encoding.UTF8.GetBytes($"{Encoding.UTF8.GetString(message.Content)}, too"));
        }
    }

    private async ValueTask<CommandResult> GreetAsync(GreetArguments arguments, CommandContext context)
    {
        long began = Server.NowNanos;
        using Answer<HelloHeader> answer = await AskAsync(
            default,
            Encoding.UTF8.GetBytes(arguments.Words),
            arguments.To,
            timeout: TimeSpan.FromMilliseconds(200)
        );
        if (!answer.IsAnswered)
        {
            return CommandResult.Refused($"{arguments.To} does not answer.");
        }

        double micros = (Server.NowNanos - began) / 1e3;
        return CommandResult.Of(new Greeting($"{answer.Source}", Encoding.UTF8.GetString(answer.Content), micros));
    }

    private sealed record GreetArguments([Description("whom to greet")] Coordinate To, string Words = "hello");

    private sealed record Greeting(string From, string Words, double Micros);
}
