namespace CamCube;

/// <summary>
/// One direction of a cable, seen from the server that sends on it. The six cable links are numbered in the order that
/// is used everywhere (bit i of a <see cref="LinkSet"/>, default interface order): +x −x +y −y +z −z.
/// <see cref="Local"/> is the seventh: this server itself, so that self-delivery, joins and roots are ordinary cases.
/// </summary>
public enum Link : byte
{
    /// <summary>Towards the server with the next larger x.</summary>
    XPlus = 0,

    /// <summary>Towards the server with the next smaller x.</summary>
    XMinus = 1,

    /// <summary>Towards the server with the next larger y.</summary>
    YPlus = 2,

    /// <summary>Towards the server with the next smaller y.</summary>
    YMinus = 3,

    /// <summary>Towards the server with the next larger z.</summary>
    ZPlus = 4,

    /// <summary>Towards the server with the next smaller z.</summary>
    ZMinus = 5,

    /// <summary>No cable: sent by, or delivered to, this very server.</summary>
    Local = 6,
}
