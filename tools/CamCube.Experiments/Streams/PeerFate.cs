namespace CamCube.Experiments.Streams;

/// <summary>What befalls the server that all others have streams with.</summary>
internal enum PeerFate
{
    /// <summary>Its power fails.</summary>
    Killed,

    /// <summary>Its power fails, and it is back after half a detection time.</summary>
    Restarted,

    /// <summary>Its service begins anew, and tells nobody.</summary>
    ServiceRestarted,

    /// <summary>The same, and nothing is written in any stream; the others are the readers.</summary>
    IdleWriterRestarted,

    /// <summary>It returns, and is the root of the key that the streams were opened to.</summary>
    KeyMoved,
}
