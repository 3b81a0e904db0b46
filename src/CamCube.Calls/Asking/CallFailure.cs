namespace CamCube.Calls;

/// <summary>Why a call was given up.</summary>
public enum CallFailure : byte
{
    /// <summary>More calls are open than can be (<see cref="ReplyTable{T}.MostOpen"/>): it was not sent.</summary>
    TooMany = 0,

    /// <summary>This server stops, or does not see the majority of the cube.</summary>
    Alone = 1,

    /// <summary>Its time is over.</summary>
    TimedOut = 2,

    /// <summary>It may have been done, and nobody can say any more: the root is gone or runs anew.</summary>
    Unknown = 3,
}
