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

    /// <summary>It was turned round in the callback that has it: a Forward where it already is means that it is for
    /// this server itself.</summary>
    TurnedRound = 0x40,

    /// <summary>Bits that mean something at this server only and end when it leaves.</summary>
    OfThisHop = ChosenLinks | TurnedRound,
}
