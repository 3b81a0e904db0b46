namespace CamCube.FrontEnds.Protocols;

/// <summary>
/// The language of one connection: turns bytes into questions, and their ends into bytes. It does no input or output:
/// the connection hands it what was received, and sends what it has written to <see cref="ConnectionTurn.Output"/>.
/// Called by one thread at a time; in a server's loop that is the loop, and then it must not block.
/// </summary>
/// <remarks>
/// What it throws closes its client, is counted and logged, and harms nobody else; what the service throws while the
/// protocol is in it (<see cref="ServiceTurn{TService}.Enter"/>) is the service's. A protocol that answers all it takes
/// on the spot implements <see cref="Advance"/> alone.
/// </remarks>
public interface IConnectionProtocol
{
    /// <summary>Whether it waits for the rest of a question. Any thread: it may be late.</summary>
    bool IsReceiving => false;

    /// <summary>Questions taken and not answered: while there are some, the client is not idle, and its end is waited
    /// for.</summary>
    int InWork => 0;

    /// <summary>Whether the oldest question in work has ended, so that <see cref="Answer"/> can answer it.</summary>
    bool HasAnswer => false;

    /// <summary>Whether memory of it is lent, to a service: its connection is closed before, but given back only
    /// when that has ended and <see cref="IQuestionOwner.QuestionEnded"/> was called.</summary>
    bool HasLent => false;

    /// <summary>Takes at most one step with what was received and not consumed before.</summary>
    /// <param name="input">Unconsumed bytes, maybe none; valid during the call. What is not consumed is kept for it, up
    /// to <see cref="ConnectionTerms{TService}.MaxUnread"/>.</param>
    /// <param name="consumed">Bytes not wanted again.</param>
    /// <returns>How far it came. A protocol that says <see cref="ProtocolStep.Took"/> again and again and neither
    /// consumes nor writes anything is broken, and its client closed.</returns>
    ProtocolStep Advance(ReadOnlySpan<byte> input, out int consumed);

    /// <summary>Writes the answer to the oldest question in work, which has ended.</summary>
    void Answer() { }

    /// <summary>
    /// Where the key of the next question is, if that can be told at a glance: nothing but speed may depend on it.
    /// Asked before other clients have had their turns, so that memory can come closer meanwhile.
    /// </summary>
    /// <param name="input">As in <see cref="Advance"/>.</param>
    Range Glance(ReadOnlySpan<byte> input) => default;

    /// <summary>A question on a key found by <see cref="Glance"/> comes soon.</summary>
    void Announce(ReadOnlySpan<byte> key) { }

    /// <summary>As <see cref="Announce"/>, a little later: what was asked for then is there.</summary>
    void Hint(ReadOnlySpan<byte> key) { }

    /// <summary>The connection is over and nothing is lent: gives its memory back.</summary>
    void Release() { }
}
