namespace CamCube.Messaging;

/// <summary>The receiving side of a <see cref="MessageChannel{THeader}"/>: nearly always the service itself. Loop
/// only.</summary>
public interface IMessageHandler<THeader>
    where THeader : unmanaged, IMessageHeader<THeader>
{
    /// <summary>
    /// A whole message is here; all of it is lent for the call. A message of several pieces comes once (as long as its
    /// id is remembered); one of a single packet as often as the network delivers that packet. The key it was sent to
    /// may have another root by now: who minds asks the topology.
    /// </summary>
    void OnMessage(in IncomingMessage<THeader> message);

    /// <summary>
    /// The first piece of a message of several pieces is here. False: not wanted; nothing is kept of it.
    /// </summary>
    /// <param name="header">The piece's header; of its message part only Run and Sequence mean something.</param>
    /// <param name="source">The sender.</param>
    /// <param name="length">Bytes the message is going to have.</param>
    bool OnArriving(in THeader header, Coordinate source, int length) => true;
}
