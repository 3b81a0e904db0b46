namespace CamCube.Swarm.Exploration;

/// <summary>An error in what drives the protocol, that an exploration must find.</summary>
public enum PlantedError
{
    /// <summary>None.</summary>
    None,

    /// <summary>Members go on in the next epoch by a Next that is not committed.</summary>
    EpochEarly,

    /// <summary>Votes are called synced and are not.</summary>
    VoteUnsynced,

    /// <summary>Promises to vote for nobody else end while a lease lasts that counts on them.</summary>
    HoldShort,

    /// <summary>Stores are given up by hand that are there, and go on.</summary>
    RecoverEarly,

    /// <summary>A store that was given up is let in again when it comes back.</summary>
    LetIn,
}
