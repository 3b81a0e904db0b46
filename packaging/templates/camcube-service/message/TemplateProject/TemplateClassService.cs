using System.ComponentModel;
using System.Text;
using CamCube;
using CamCube.Messaging;

namespace TemplateSpace;

/// <summary>Asks other servers, and answers when it is asked.</summary>
//#if (isWrongId)
#error The service's id is 0x7fff; it must be 0x0100 to 0xffff, written with four digits. Lower ones are CamCube's.
//#endif
[CamCubeService(0x7fff, "template-service", Header = typeof(TemplateClassHeader))]
public sealed class TemplateClassService(IServer server, TemplateClassOptions options)
    : MessageService<TemplateClassHeader>(server),
        IServiceCommands
{
    private static readonly byte[] Words = Encoding.UTF8.GetBytes("hello");

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<PingArguments, CommandResult>(
                "ping",
                "Says hello to a server, tells its answer.",
                PingAsync
            ),
        ];

    /// <summary>Asks a server, again and again until it has answered or was asked often enough. It may hear a question
    /// twice. Dispose the answer.</summary>
    public ValueTask<Answer<TemplateClassHeader>> Ask(Coordinate to) =>
        AskAsync(default, Words, to, options.Patience, options.Attempts);

    /// <summary>A question is here, and whole: up to a megabyte. It must not block.</summary>
    protected override void OnMessage(in IncomingMessage<TemplateClassHeader> message)
    {
        if (IsQuestion(message))
        {
            Answer(message, default, Words);
        }
    }

    private async ValueTask<CommandResult> PingAsync(PingArguments arguments, CommandContext context)
    {
        long began = Server.NowNanos;
        using Answer<TemplateClassHeader> answer = await Ask(arguments.To);
        return answer.IsAnswered
            ? CommandResult.Of(
                new Pong($"{answer.Source}", Encoding.UTF8.GetString(answer.Content), (Server.NowNanos - began) / 1e3)
            )
            : CommandResult.Refused($"{arguments.To} does not answer.");
    }

    private sealed record PingArguments([Description("the server")] Coordinate To);

    private sealed record Pong(string From, string Words, double Micros);
}
