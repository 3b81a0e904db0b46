namespace CamCube.Trees;

/// <summary>Why a pull is not answered. Numbers from <see cref="FirstOfService"/> on are the service's own.</summary>
public enum PullRefusal : uint
{
    /// <summary>It is answered.</summary>
    None = 0,

    /// <summary>The request cannot be read, or names what the job does not have.</summary>
    Malformed = 1,

    /// <summary>The job, or the attempt, is not known there, or not yet.</summary>
    Unknown = 2,

    /// <summary>There is no memory for it there now.</summary>
    NoRoom = 3,

    /// <summary>A vertex there, or farther away, has met what cannot be; its job hears from there what.</summary>
    Failed = 4,

    /// <summary>The first number of a service's own.</summary>
    FirstOfService = 256,
}
