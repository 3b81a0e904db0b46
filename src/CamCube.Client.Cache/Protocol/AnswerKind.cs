namespace CamCube.Client.Cache.Protocol;

/// <summary>How a command ended.</summary>
internal enum AnswerKind
{
    /// <summary>No connection carried it to an end.</summary>
    Lost,

    /// <summary>Done; for Read, Look and Touch: the entry is there.</summary>
    Done,

    /// <summary>There is no such entry.</summary>
    Absent,

    /// <summary>The value is too large for the server.</summary>
    TooLarge,

    /// <summary>The server answered with an error, and the connection is good.</summary>
    Refused,
}
