namespace CamCube.Services.Messenger;

/// <summary>
/// A name that messages are sent to, and that sends. Made by <see cref="IMessenger.TryOpen"/>; whoever has it disposes
/// of it, and the name is free again. Loop only.
/// </summary>
public interface IEndpoint : IDisposable
{
    /// <summary>Its name.</summary>
    string Name { get; }

    /// <summary>Its id.</summary>
    EndpointId Id { get; }

    /// <summary>Where it is in its life.</summary>
    EndpointState State { get; }

    /// <summary>Number of this opening; 0 while it has none.</summary>
    uint Term { get; }

    /// <summary>Messages that wait to be received.</summary>
    int Waiting { get; }

    /// <summary>Waits until the name is its own (true), or will not be (false). Pooled: await at once and once; one
    /// waiter at a time.</summary>
    ValueTask<bool> OwnedAsync();

    /// <summary>
    /// Sends a short message: one packet, which may be lost. The bytes are copied at once. It arrives at the endpoint
    /// with this id, or nowhere.
    /// </summary>
    /// <param name="to">Whom.</param>
    /// <param name="method">For the receiver.</param>
    /// <param name="bytes">Its only item.</param>
    SendStatus TrySend(EndpointId to, ushort method, ReadOnlySpan<byte> bytes);

    /// <summary>As <see cref="TrySend(EndpointId, ushort, ReadOnlySpan{byte})"/>, with several items, which are
    /// gathered into the packet.</summary>
    /// <param name="to">Whom.</param>
    /// <param name="method">For the receiver.</param>
    /// <param name="items">0 to 255.</param>
    SendStatus TrySend(EndpointId to, ushort method, ReadOnlySpan<ReadOnlyMemory<byte>> items);

    /// <summary>Takes the message that has waited longest, short or long.</summary>
    /// <param name="message">The message, the caller's until it releases it; null if none waits.</param>
    bool TryReceive([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Message? message);

    /// <summary>Waits until a message waits (true), or <see cref="Interrupt"/> is called or the endpoint has ended
    /// (false). Pooled: await at once and once; one waiter at a time.</summary>
    /// <exception cref="InvalidOperationException">Somebody waits already.</exception>
    ValueTask<bool> WaitAsync();

    /// <summary>Ends the wait that is going on, if any.</summary>
    void Interrupt();

    /// <summary>
    /// Asks and waits for the answer. The question is one packet: it is done at most once, and lost with the packet.
    /// Items are copied at once.
    /// </summary>
    /// <param name="to">Whom.</param>
    /// <param name="method">For the receiver.</param>
    /// <param name="items">0 to 255.</param>
    /// <param name="deadline">How long to wait, in all.</param>
    /// <param name="cancel">Cancelled, on the loop, when nobody wants the answer any more.</param>
    /// <returns>The answer; dispose it. Pooled: await at once and once.</returns>
    ValueTask<CallAnswer> CallAsync(
        EndpointId to,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel = default
    );

    /// <summary>As <see cref="CallAsync(EndpointId, ushort, ReadOnlySpan{ReadOnlyMemory{byte}}, TimeSpan,
    /// CancellationToken)"/>, and lends windows into which the answer may be written
    /// (<see cref="AnswerAsync"/>). They are lent until the call ends; those in the answer until that is released.
    /// </summary>
    /// <param name="to">Whom.</param>
    /// <param name="method">For the receiver.</param>
    /// <param name="items">0 to 255.</param>
    /// <param name="returns">0 to 16 windows, free.</param>
    /// <param name="deadline">How long to wait, in all.</param>
    /// <param name="cancel">Cancelled, on the loop, when nobody wants the answer any more.</param>
    ValueTask<CallAnswer> CallAsync(
        EndpointId to,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        ReadOnlySpan<Window> returns,
        TimeSpan deadline,
        CancellationToken cancel = default
    );

    /// <summary>Answers a call by a short message. Once.</summary>
    /// <param name="call">What was received and not released.</param>
    /// <param name="method">For the caller.</param>
    /// <param name="bytes">The only item.</param>
    SendStatus TryAnswer(Message call, ushort method, ReadOnlySpan<byte> bytes);

    /// <summary>Answers a call by a short message of several items. Once.</summary>
    /// <param name="call">What was received and not released.</param>
    /// <param name="method">For the caller.</param>
    /// <param name="items">0 to 255.</param>
    SendStatus TryAnswer(Message call, ushort method, ReadOnlySpan<ReadOnlyMemory<byte>> items);

    /// <summary>
    /// Answers a call by writing into the windows that it lends: item i into window i, without a question before. Once.
    /// The call may be released at once; the items are lent until this ends.
    /// </summary>
    /// <param name="call">What was received and not released.</param>
    /// <param name="method">For the caller.</param>
    /// <param name="items">1 to <see cref="Message.ReturnCount"/>, each at most as long as its window.</param>
    /// <param name="deadline">How long to try.</param>
    /// <param name="cancel">Cancelled, on the loop, to break it off.</param>
    ValueTask<LongDelivery> AnswerAsync(
        Message call,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel = default
    );

    /// <summary>
    /// Sends a long message: the receiver pulls each item into the first of its posted windows that is large enough.
    /// Items without one are left out, which is said. It arrives whole or not at all.
    /// </summary>
    /// <param name="to">Whom.</param>
    /// <param name="method">For the receiver.</param>
    /// <param name="items">1 to 255, each at most 2 GiB; lent until this ends.</param>
    /// <param name="deadline">How long to try.</param>
    /// <param name="cancel">Cancelled, on the loop, to break it off.</param>
    ValueTask<LongDelivery> SendAsync(
        EndpointId to,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel = default
    );

    /// <summary>Posts a window for items of long messages: they are used in the order in which they were posted.
    /// </summary>
    WindowPost PostWindow(Window window);

    /// <summary>Takes a posted window back, also while an item is written into it: that message is then not delivered.
    /// False: it is not posted here.</summary>
    bool Withdraw(Window window);

    /// <summary>
    /// Moves the name to another server, where an endpoint of this name waits for it
    /// (<see cref="EndpointOptions.IsStandby"/>). Messages that wait here, and those that still come within the
    /// detection time, go there, too; long ones that are being pulled here break off.
    /// </summary>
    /// <param name="server">Where to.</param>
    /// <param name="deadline">How long to try.</param>
    ValueTask<MoveStatus> MoveToAsync(Coordinate server, TimeSpan deadline);
}
