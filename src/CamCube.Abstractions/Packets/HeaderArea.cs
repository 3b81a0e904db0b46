using System.Runtime.CompilerServices;

namespace CamCube;

/// <summary>The service header's place inside the packet object: private to each copy, next to the fields a hop touches
/// anyway.</summary>
[InlineArray(Packet.MaxHeaderLength)]
internal struct HeaderArea
{
    private byte _first;
}
