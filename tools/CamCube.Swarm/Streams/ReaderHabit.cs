namespace CamCube.Swarm.Streams;

/// <summary>What a reader does with its direction of a stream.</summary>
public enum ReaderHabit
{
    /// <summary>Reads what comes when it comes.</summary>
    Eager,

    /// <summary>Reads a little now and then.</summary>
    Lazy,

    /// <summary>Awaits each piece.</summary>
    Waits,

    /// <summary>Begins a wait that nobody ever looks at, and reads when it is told.</summary>
    Abandons,

    /// <summary>Reads nothing, and gives the stream back when it has lived long enough.</summary>
    Never,

    /// <summary>Gives the stream back in the middle.</summary>
    Stops,
}
