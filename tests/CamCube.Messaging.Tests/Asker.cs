namespace CamCube.Messaging.Tests;

/// <summary>A service that answers what it is asked with the same bytes turned round, at once or later, or not at
/// all.</summary>
[CamCubeService(0x0778, "asker", Header = typeof(Inquiry))]
public sealed class Asker(IServer server, MessageOptions? options = null) : MessageService<Inquiry>(server, options)
{
    /// <summary>Questions that came, by number.</summary>
    public List<int> Asked { get; } = [];

    /// <summary>Messages that were no questions.</summary>
    public int Plain { get; private set; }

    /// <summary>Answers so much later; zero: at once.</summary>
    public TimeSpan Delay { get; set; }

    public bool IsSilent { get; set; }

    public bool Throws { get; set; }

    public IServer Place => Server;

    public ValueTask<Answer<Inquiry>> Ask(
        int number,
        ReadOnlyMemory<byte> content,
        Destination to,
        int millis = 20,
        int attempts = 3
    ) => AskAsync(new Inquiry { Number = number }, content, to, TimeSpan.FromMilliseconds(millis), attempts);

    public void Tell(Inquiry header, byte[] content, Destination to) => Channel.Send(header, default, content, to);

    protected override void OnMessage(in IncomingMessage<Inquiry> message)
    {
        if (!IsQuestion(message))
        {
            Plain++;
            return;
        }

        Asked.Add(message.Header.Number);
        if (Throws)
        {
            throw new FormatException("on purpose");
        }

        byte[] turned = message.Content.ToArray();
        Array.Reverse(turned);
        var header = new Inquiry { Number = -message.Header.Number };
        if (IsSilent)
        {
            return;
        }

        if (Delay == TimeSpan.Zero)
        {
            Answer(message, header, default, turned);
            return;
        }

        (Coordinate source, ulong question) = (message.Source, QuestionOf(message));
        Server.Loop.Run(async () =>
        {
            if (await Server.DelayAsync(Delay))
            {
                AnswerLater(source, question, header, default, turned);
            }
        });
    }
}
