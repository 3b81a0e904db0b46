using System.Runtime.InteropServices;

namespace CamCube;

/// <summary>
/// What extended routing carries with a packet: where it was sent to, and who evaluated F last. The first field of the
/// header struct of a service that derives from <see cref="ExtendedService"/> (docs/extended-routing.md has the bytes);
/// a service without a header of its own need not declare it. Only <see cref="ExtendedService"/> reads and writes it.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 2)]
public struct ExtendedHeader
{
    /// <summary>Bytes.</summary>
    public const int Length = 16;

    internal ulong DestinationRoute;
    internal Coordinate LastVertex;
    internal ExtendedFlags Flags;

    /// <summary>How many <see cref="TravellingKeys"/> stand at the end of the service header.</summary>
    internal byte Travelling;

    internal readonly bool HasDestination => (Flags & ExtendedFlags.HasDestination) != 0;

    internal readonly Destination Destination =>
        Destination.FromWire(DestinationRoute, (Flags & ExtendedFlags.DestinationIsKey) != 0);
}
