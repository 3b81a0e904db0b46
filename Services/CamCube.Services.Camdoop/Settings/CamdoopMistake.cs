namespace CamCube.Services.Camdoop;

/// <summary>A mistake that is made on purpose, so that tests see that it is found.</summary>
internal enum CamdoopMistake
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Who pulls a vertex again says the key that it is at, and not how many pairs of it it has.</summary>
    ResumesAtKey = 1,

    /// <summary>An attempt that is made again cuts its pairs at other places.</summary>
    CutsElsewhereAgain = 2,

    /// <summary>No function in C# returns.</summary>
    FunctionsAreStuck = 3,

    /// <summary>No combiner in C# returns at a vertex of a tree; at map tasks they do.</summary>
    CombinersAreStuck = 4,

    /// <summary>That the pairs of a file are put is said before they are.</summary>
    EarlyPairs = 5,
}
