using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Services.Messenger.Wire;

/// <summary>The first part of a packet's header: 24 bytes, little-endian, laid over a <see cref="MessageHeader"/>,
/// whose kind lies at the same place.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct MessengerHead
{
    /// <summary>Run of the sender's messenger.</summary>
    public ulong Run;

    /// <summary>Low half of the receiver's run; 0 where any will do.</summary>
    public uint PeerRun;

    /// <summary>The receiver's term.</summary>
    public uint Term;

    /// <summary>The sender's term; 0: it has none.</summary>
    public uint SourceTerm;

    public MessengerKind Kind;

    public ShortFlags Flags;

    /// <summary>Items.</summary>
    public byte Count;

    /// <summary>Windows that are lent for the answer.</summary>
    public byte Returns;

    /// <summary>The same bytes.</summary>
    public static ref MessengerHead Of(ref MessageHeader header) =>
        ref Unsafe.As<MessageHeader, MessengerHead>(ref header);
}
