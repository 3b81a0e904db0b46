namespace CamCube.Swarm.Streams;

/// <summary>What a writer does with its direction of a stream.</summary>
public enum WriterHabit
{
    /// <summary>Writes all and completes.</summary>
    Completes,

    /// <summary>Writes all, completes only when the stream has lived long enough.</summary>
    Hesitates,

    /// <summary>Aborts in the middle.</summary>
    Aborts,

    /// <summary>Writes all, completes, and gives the stream back at once.</summary>
    Leaves,

    /// <summary>Gives the stream back in the middle.</summary>
    Drops,
}
