using System.Globalization;

namespace CamCube.Runtime.Observing;

/// <summary>What an observer sees of a packet: a copy, so that nobody keeps or changes the packet itself.</summary>
/// <param name="Id">Number of the packet: the same at every hop of a simulated cube, another for each copy. A packet
/// that a service sends on or answers with keeps it.</param>
/// <param name="Service">Whose packet it is.</param>
/// <param name="Source">The server that first sent it.</param>
/// <param name="Destination">Where it goes.</param>
/// <param name="HopLimit">Hops it may still make.</param>
/// <param name="WireLength">Bytes on a cable, with Ethernet header and virtual bytes.</param>
/// <param name="Contents">What is in it, in short words, if the observer knows
/// (<see cref="IServerObserver.ContentsOf"/>); only of one that leaves.</param>
public readonly record struct PacketSummary(
    uint Id,
    ServiceId Service,
    Coordinate Source,
    Destination Destination,
    ushort HopLimit,
    int WireLength,
    string? Contents = null
)
{
    /// <summary>The destination for people: a coordinate, or "key …" with the 16 digits of the key's route.</summary>
    public string DestinationText =>
        Destination.IsKey
            ? string.Create(CultureInfo.InvariantCulture, $"key {Destination.Route:x16}")
            : Destination.Server.ToString();

    internal static PacketSummary Of(Packet packet) =>
        new(
            packet.IdWord,
            new ServiceId(packet.ServiceWord),
            Coordinate.Unpack(packet.SourceRoute),
            Destination.FromWire(packet.Route, (packet.Flags & PacketFlags.ToKey) != 0),
            packet.HopsLeft,
            packet.WireLength
        );
}
