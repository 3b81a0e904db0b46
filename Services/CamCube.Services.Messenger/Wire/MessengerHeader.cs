using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Services.Messenger.Wire;

/// <summary>The messenger's header: 52 bytes, little-endian. Packets of streams have the first 24 of them for
/// themselves and the others zero.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct MessengerHeader : IMessageHeader<MessengerHeader>
{
    private MessageHeader _message;

    /// <summary>The endpoint that sends; 0 where none does.</summary>
    public ulong Source;

    /// <summary>The endpoint that is meant.</summary>
    public ulong Destination;

    /// <summary>Number of a question, an offer, an opening or a search.</summary>
    public ulong Question;

    /// <summary>What is to be done.</summary>
    public ushort Method;

    public RegisterStatus Status;

    /// <summary>Not used; zero.</summary>
    public byte Reserved;

    /// <inheritdoc/>
    public static ref MessageHeader MessageOf(ref MessengerHeader header) => ref header._message;

    /// <summary>The header of a packet.</summary>
    public static ref MessengerHeader Of(Packet packet) => ref packet.Header<MessengerHeader>();

    /// <summary>The first part of the header of a packet.</summary>
    public static ref MessengerHead HeadOf(Packet packet) => ref MessengerHead.Of(ref Of(packet)._message);
}
