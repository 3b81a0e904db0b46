namespace CamCube;

/// <summary>An outbound queue that the service implements itself (content priorities, cursors): asked when a link is
/// free, it is this service's turn, and within the service this source's (<see cref="IServer.AddSource"/>). Loop
/// only.</summary>
public interface IPacketSource
{
    /// <summary>A packet for this link that the service owns (rented, shared or held; the runtime takes it), or null.
    /// Called only for links in <see cref="IOutboundTurn.Ready"/>; null clears the link there, unless the source says
    /// it again meanwhile and others of the service have a packet for it: then it is asked with their
    /// next one. A packet that should stand behind those that wait for the link goes into the queue instead, by
    /// <see cref="IServer.SendVia"/> to this link: at a switch it goes where it would have gone if it were given, to
    /// where it ends, and not to the neighbour.</summary>
    Packet? OnPoll(Link link);
}
