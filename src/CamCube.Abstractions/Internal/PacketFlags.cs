namespace CamCube;

/// <summary>Bits of a packet. The low four travel on the wire; the others are this server's own.</summary>
[Flags]
internal enum PacketFlags : byte
{
    None = 0,

    /// <summary>The route is a key's, not a server's.</summary>
    ToKey = 1,

    /// <summary>All bits that travel.</summary>
    WireMask = 0x0F,

    /// <summary>The body's bytes are in the trace hash already; writing clears it.</summary>
    BodyTraced = 0x10,

    /// <summary>Its links were chosen by the service: it is not routed again when one goes down.</summary>
    ChosenLinks = 0x20,
}
