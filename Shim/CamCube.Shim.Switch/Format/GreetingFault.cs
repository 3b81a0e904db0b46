namespace CamCube.Shim.Switch.Format;

/// <summary>Why a connection is not one of this cube.</summary>
internal enum GreetingFault
{
    /// <summary>It is.</summary>
    None = 0,

    /// <summary>Not a server at all.</summary>
    Foreign = 1,

    /// <summary>A server that speaks another version.</summary>
    OtherVersion = 2,

    /// <summary>A server of another cluster.</summary>
    OtherCluster = 3,

    /// <summary>A server with another shape in its settings.</summary>
    OtherShape = 4,

    /// <summary>A server with another longest frame in its settings.</summary>
    OtherFrameLength = 5,

    /// <summary>A server that is not expected here, or takes this one for another.</summary>
    WrongServer = 6,

    /// <summary>A server that is connected already, and heard.</summary>
    Doubled = 7,
}
