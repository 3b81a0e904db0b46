namespace CamCube.Calls;

/// <summary>What a root knows of a request.</summary>
public enum Knowledge : byte
{
    /// <summary>It was not done here.</summary>
    New = 0,

    /// <summary>It was done, and this was the answer.</summary>
    Answered = 1,

    /// <summary>It is older than what is remembered, or of an earlier run of its server.</summary>
    Forgotten = 2,
}
