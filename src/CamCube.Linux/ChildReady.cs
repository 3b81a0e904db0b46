namespace CamCube.Linux;

/// <summary>Which pipes of a process have something to do.</summary>
[Flags]
public enum ChildReady
{
    /// <summary>None: the time is over.</summary>
    None = 0,

    /// <summary>It takes input, or has closed it.</summary>
    Input = 1,

    /// <summary>There is output, or its end.</summary>
    Output = 2,

    /// <summary>There is something on its standard error, or its end.</summary>
    Errors = 4,

    /// <summary>It has ended, whoever holds its pipes still.</summary>
    Ended = 8,

    /// <summary>Nobody holds the other end of its output any more, though some may be left to read.</summary>
    OutputClosed = 16,

    /// <summary>The wait was ended from elsewhere.</summary>
    Woken = 32,
}
