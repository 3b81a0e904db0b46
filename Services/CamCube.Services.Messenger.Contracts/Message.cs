namespace CamCube.Services.Messenger;

/// <summary>
/// A message that was received, or an answer. Of a short one the items lie in the packet that brought it, of a long one
/// in windows that the receiver had posted. The receiver's until <see cref="Release"/>, which it owes; then the object
/// is used for other messages. Loop only.
/// </summary>
public abstract class Message : IDisposable
{
    /// <summary>Whether the items are in windows.</summary>
    public abstract bool IsLong { get; }

    /// <summary>The endpoint that sent it: messages to it need not ask where it is.</summary>
    public abstract EndpointId Source { get; }

    /// <summary>The server that it came from.</summary>
    public abstract Coordinate SourceServer { get; }

    /// <summary>What the sender wants done: a number that both have agreed upon.</summary>
    public abstract ushort Method { get; }

    /// <summary>The sender waits for an answer (<see cref="IEndpoint.TryAnswer(Message, ushort,
    /// ReadOnlySpan{byte})"/>).</summary>
    public abstract bool IsCall { get; }

    /// <summary>Items, 0 to 255.</summary>
    public abstract int Count { get; }

    /// <summary>Windows that the sender has lent for the answer (<see cref="IEndpoint.AnswerAsync"/>).</summary>
    public abstract int ReturnCount { get; }

    /// <summary>An item. Valid until <see cref="Release"/>. Empty, too, for an item of a long message that no window
    /// was large enough for: <see cref="IsDiscarded"/>.</summary>
    /// <param name="item">From 0.</param>
    public abstract ReadOnlySpan<byte> this[int item] { get; }

    /// <summary>Whether an item of a long message was left out because no posted window was large enough.</summary>
    /// <param name="item">From 0.</param>
    public abstract bool IsDiscarded(int item);

    /// <summary>The window in which an item of a long message is; null for short ones and discarded items. It is not
    /// posted any more, and free from <see cref="Release"/> on.</summary>
    /// <param name="item">From 0.</param>
    public abstract Window? WindowOf(int item);

    /// <summary>Bytes of the window that the sender has lent for the answer.</summary>
    /// <param name="number">From 0 to <see cref="ReturnCount"/> - 1.</param>
    public abstract int ReturnLength(int number);

    /// <summary>Gives it back: its packet, or its windows. A second time does nothing, as long as the object is no
    /// other message.</summary>
    public abstract void Release();

    /// <inheritdoc/>
    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }
}
