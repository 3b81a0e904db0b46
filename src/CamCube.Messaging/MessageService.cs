using System.Runtime.CompilerServices;

namespace CamCube.Messaging;

/// <summary>
/// A service that speaks in messages: the wiring of a <see cref="MessageChannel{THeader}"/>, and questions that are
/// asked again until they are answered. Derive from it, say what a message means in <see cref="OnMessage"/>, ask by
/// <see cref="AskAsync"/>. Overrides of the callbacks call their base. Loop only.
/// </summary>
/// <typeparam name="THeader">The service's header; the same type is <c>Header</c> in its
/// <see cref="CamCubeServiceAttribute"/>.</typeparam>
public abstract class MessageService<THeader> : CamCubeService, IMessageHandler<THeader>
    where THeader : unmanaged, IQuestionHeader<THeader>
{
    private readonly ReplyTable<Answer<THeader>> _questions;

    /// <summary>The service on one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Limits of the messages; null: the defaults.</param>
    protected MessageService(IServer server, MessageOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(server);
        Server = server;
        Channel = new MessageChannel<THeader>(server, options ?? new MessageOptions(), this);
        _questions = new ReplyTable<Answer<THeader>>(server, 1, static late => late.Dispose());
    }

    /// <summary>The service's server.</summary>
    protected IServer Server { get; }

    /// <summary>The channel, for messages that nobody answers.</summary>
    protected MessageChannel<THeader> Channel { get; }

    /// <summary>Questions that are open now.</summary>
    public int OpenQuestions => _questions.Open;

    /// <inheritdoc/>
    public override void OnStart() => Channel.Start();

    /// <inheritdoc/>
    public override void OnStop(StopReason reason) => Channel.Stop();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => Channel.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => Channel.OnTopologyChanged();

    /// <inheritdoc/>
    bool IMessageHandler<THeader>.OnArriving(in THeader header, Coordinate source, int length)
    {
        THeader copy = header;
        QuestionHeader question = THeader.QuestionOf(ref copy);
        return question.IsAnswer != 0 ? _questions.IsOpen(question.Id) : IsWanted(header, source, length);
    }

    /// <inheritdoc/>
    void IMessageHandler<THeader>.OnMessage(in IncomingMessage<THeader> message)
    {
        THeader header = message.Header;
        QuestionHeader question = THeader.QuestionOf(ref header);
        if (question.IsAnswer == 0)
        {
            OnMessage(message);
        }
        else if (_questions.IsOpen(question.Id))
        {
            _questions.TryAdd(
                question.Id,
                new Answer<THeader>(WaitResult.Enough, header, message.Source, Channel.TakeContent(message))
            );
        }
    }

    /// <summary>A message is here: lent for the call, as <see cref="IMessageHandler{THeader}.OnMessage"/> says. A
    /// question (<see cref="IsQuestion"/>) is answered by <see cref="Answer"/>, now; whoever needs time keeps source
    /// and question and sends later (<see cref="AnswerLater"/>). A question that is asked again comes again.</summary>
    protected abstract void OnMessage(in IncomingMessage<THeader> message);

    /// <summary>The first piece of a long message is here, which is no answer. False: not wanted; nothing is kept of
    /// it.</summary>
    protected virtual bool IsWanted(in THeader header, Coordinate source, int length) => true;

    /// <summary>Whether the sender waits for an answer.</summary>
    protected static bool IsQuestion(in IncomingMessage<THeader> message) => QuestionOf(message) != 0;

    /// <summary>The sender's number of the question, for <see cref="AnswerLater"/>; 0: it waits for no
    /// answer.</summary>
    protected static ulong QuestionOf(in IncomingMessage<THeader> message)
    {
        THeader header = message.Header;
        return THeader.QuestionOf(ref header).Id;
    }

    /// <summary>
    /// Asks and waits. Sent again when an attempt brings no answer, so whoever is asked may do it more than once: let
    /// it do no harm, or give it a number of your own. An attempt whose answer has begun to arrive is waited for to the
    /// end. To a key: each attempt goes to its root then.
    /// </summary>
    /// <param name="header">The service's header.</param>
    /// <param name="content">Bytes; lent until the question is over.</param>
    /// <param name="to">A server or a key.</param>
    /// <param name="timeout">Time of one attempt.</param>
    /// <param name="attempts">Most attempts, at least 1.</param>
    /// <returns>The answer; dispose it.</returns>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    protected async ValueTask<Answer<THeader>> AskAsync(
        THeader header,
        ReadOnlyMemory<byte> content,
        Destination to,
        TimeSpan timeout,
        int attempts = 3
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(attempts, 1);
        if (!_questions.TryAsk(out Replies<Answer<THeader>>? question))
        {
            // More than can be open: as if nobody had answered.
            return new Answer<THeader>(WaitResult.TimedOut, default, default, default);
        }

        using Replies<Answer<THeader>> ends = question;
        THeader.QuestionOf(ref header) = new QuestionHeader { Id = question.Id };
        for (int attempt = 1; ; attempt++)
        {
            MessageTicket ticket = Channel.Send(header, default, content, to);
            WaitResult result = await question.WaitAsync(1, timeout);
            while (
                result == WaitResult.TimedOut
                && Channel.IsArriving(
                    question.Id,
                    static (id, h) => THeader.QuestionOf(ref h) is { IsAnswer: not 0 } q && q.Id == id
                )
            )
            {
                result = await question.WaitAsync(1, timeout);
            }

            Channel.Cancel(ticket);
            if (result == WaitResult.Enough)
            {
                return question.Take(0);
            }

            if (result == WaitResult.Stopped || attempt == attempts)
            {
                return new Answer<THeader>(result, default, default, default);
            }
        }
    }

    /// <summary>Answers the question of the running <see cref="OnMessage"/>. Head and tail as for
    /// <see cref="MessageChannel{THeader}.Answer"/>.</summary>
    /// <exception cref="InvalidOperationException">The message is no question.</exception>
    protected MessageTicket Answer(
        in IncomingMessage<THeader> message,
        THeader header,
        ReadOnlySpan<byte> head = default,
        ReadOnlyMemory<byte> tail = default
    )
    {
        THeader.QuestionOf(ref header) = AnswerTo(QuestionOf(message));
        return Channel.Answer(message, header, head, tail);
    }

    /// <summary>Answers a question after the <see cref="OnMessage"/> that brought it.</summary>
    /// <param name="source">Who asked.</param>
    /// <param name="question">What <see cref="QuestionOf"/> said.</param>
    /// <param name="header">The service's header.</param>
    /// <param name="head">First bytes, copied at once.</param>
    /// <param name="tail">The others, lent as for <see cref="MessageChannel{THeader}.Send"/>.</param>
    /// <exception cref="InvalidOperationException">It was no question.</exception>
    protected MessageTicket AnswerLater(
        Coordinate source,
        ulong question,
        THeader header,
        ReadOnlySpan<byte> head = default,
        ReadOnlyMemory<byte> tail = default
    )
    {
        THeader.QuestionOf(ref header) = AnswerTo(question);
        return Channel.Send(header, head, tail, source);
    }

    private static QuestionHeader AnswerTo(ulong question) =>
        question == 0
            ? throw new InvalidOperationException("Nobody waits for an answer to this message: it is no question.")
            : new QuestionHeader { Id = question, IsAnswer = 1 };
}
