namespace CamCube.Loads.Operations;

/// <summary>Whether an operation is to begin.</summary>
internal enum LoadTurn
{
    /// <summary>Now.</summary>
    Taken,

    /// <summary>Not yet.</summary>
    Later,

    /// <summary>No more.</summary>
    Over,
}
