using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>Where the library's part lies in a service's packets.</summary>
internal abstract class PacketForm
{
    /// <summary>Bytes of the service's header.</summary>
    public abstract int HeaderLength { get; }

    /// <summary>Where the part begins in the header.</summary>
    public abstract int Offset { get; }

    /// <summary>The part in a packet.</summary>
    public abstract ref StreamHeader Of(Packet packet);
}
