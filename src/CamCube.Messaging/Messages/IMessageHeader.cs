namespace CamCube.Messaging;

/// <summary>
/// A service header with a <see cref="MessageHeader"/> in it. The other fields travel unchanged with every piece of a
/// message; in packets of the library itself (<see cref="MessageKind.Missing"/> and so on) they are those of some
/// piece, or zero.
/// </summary>
/// <typeparam name="TSelf">The header itself: unmanaged, at most <see cref="Packet.MaxHeaderLength"/>
/// bytes.</typeparam>
public interface IMessageHeader<TSelf>
    where TSelf : unmanaged, IMessageHeader<TSelf>
{
    /// <summary>The library's part of the header.</summary>
    static abstract ref MessageHeader MessageOf(ref TSelf header);
}
