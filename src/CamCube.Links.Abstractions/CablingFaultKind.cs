namespace CamCube;

/// <summary>What is wrong with a cable, a port or a server.</summary>
public enum CablingFaultKind
{
    /// <summary>Nothing is heard where a server of the cube should be.</summary>
    Missing = 0,

    /// <summary>A server is heard on none of its cables.</summary>
    ServerAbsent = 1,

    /// <summary>Frames come through in one direction only.</summary>
    OneWay = 2,

    /// <summary>The cable leads to another port than the one that belongs there.</summary>
    WrongCable = 3,

    /// <summary>A second cable to a server where one belongs.</summary>
    Doubled = 4,

    /// <summary>The cable leads back to this server.</summary>
    Loop = 5,

    /// <summary>A server of another cluster.</summary>
    OtherCluster = 6,

    /// <summary>A server with another shape in its settings.</summary>
    OtherShape = 7,

    /// <summary>A server that speaks another version.</summary>
    OtherVersion = 8,

    /// <summary>A server with another map of the cube.</summary>
    OtherMap = 9,

    /// <summary>The two ends have different largest frames.</summary>
    FrameLength = 10,

    /// <summary>Several servers on one port.</summary>
    SeveralServers = 11,

    /// <summary>Two processes with one identity.</summary>
    SameIdentity = 12,

    /// <summary>Two servers with one coordinate.</summary>
    SameCoordinate = 13,

    /// <summary>A server that has no place in the cube.</summary>
    UnknownServer = 14,

    /// <summary>A cable where none belongs.</summary>
    NotExpected = 15,

    /// <summary>What a server keeps for life cannot be written.</summary>
    State = 16,

    /// <summary>Nothing is heard of a server, but something else is.</summary>
    Foreign = 17,
}
