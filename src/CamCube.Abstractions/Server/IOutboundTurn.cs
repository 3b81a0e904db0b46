namespace CamCube;

/// <summary>A source's place in the link scheduler. Loop only.</summary>
public interface IOutboundTurn
{
    /// <summary>Links for which <see cref="IPacketSource.OnPoll"/> would give a packet now. Stays until the service or
    /// an empty poll clears it.</summary>
    LinkSet Ready { get; set; }
}
