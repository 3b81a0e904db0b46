namespace CamCube.Shim.Udp.Ports;

/// <summary>What people were told about a port and is not mended yet.</summary>
[Flags]
internal enum PortFault
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Its other end has another cluster key.</summary>
    OtherKey = 1,

    /// <summary>Its other end speaks another version.</summary>
    OtherVersion = 2,

    /// <summary>Its other end is a port of another link.</summary>
    OtherLink = 4,

    /// <summary>The neighbour's name has no address.</summary>
    NoAddress = 8,

    /// <summary>There is no way to the neighbour's address.</summary>
    NoWay = 16,

    /// <summary>The path carries less than the settings say.</summary>
    Narrow = 32,
}
