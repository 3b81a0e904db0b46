namespace CamCube.Analyzers.LoopCode;

/// <summary>Which thread a place in a method is for.</summary>
internal enum RunBy
{
    /// <summary>The one that runs the method.</summary>
    Caller,

    /// <summary>Another one: it is in a function that is given to other threads.</summary>
    Others,

    /// <summary>The loop, whoever runs the method: it is in a function that goes through the gate.</summary>
    Loop,
}
