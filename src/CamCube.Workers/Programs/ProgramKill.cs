namespace CamCube.Workers;

/// <summary>Why a program was killed.</summary>
public enum ProgramKill
{
    /// <summary>It was not: it ended by itself, or by a signal that somebody else has sent.</summary>
    None = 0,

    /// <summary>It went over one of its <see cref="ProgramLimits"/>: processor time or a file's length. One that gets
    /// no memory ends as it likes, mostly with an exit code.</summary>
    Limit = 1,

    /// <summary>Its caller has disposed of it or killed it, or its share of the programs was closed.</summary>
    Disposed = 2,

    /// <summary>Its caller has killed it as it did nothing for too long.</summary>
    Silence = 3,
}
