using System.Runtime.CompilerServices;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <inheritdoc/>
/// <typeparam name="THeader">The service's header.</typeparam>
internal sealed class PacketFormOf<THeader> : PacketForm
    where THeader : unmanaged, IMessageHeader<THeader>
{
    /// <inheritdoc/>
    public override int HeaderLength => Unsafe.SizeOf<THeader>();

    /// <inheritdoc/>
    public override int Offset
    {
        get
        {
            THeader header = default;
            ref byte start = ref Unsafe.As<THeader, byte>(ref header);
            return (int)
                Unsafe.ByteOffset(ref start, ref Unsafe.As<MessageHeader, byte>(ref THeader.MessageOf(ref header)));
        }
    }

    /// <inheritdoc/>
    public override ref StreamHeader Of(Packet packet) =>
        ref StreamHeader.Of(ref THeader.MessageOf(ref packet.Header<THeader>()));
}
