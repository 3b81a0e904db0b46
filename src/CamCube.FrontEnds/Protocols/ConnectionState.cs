namespace CamCube.FrontEnds.Protocols;

/// <summary>What a socket of a front end is doing.</summary>
public enum ConnectionState
{
    /// <summary>It waits for a question.</summary>
    Waiting,

    /// <summary>It waits for the rest of a question.</summary>
    Receiving,

    /// <summary>A question is in work.</summary>
    Working,

    /// <summary>It waits for clients.</summary>
    Listening,
}
