namespace CamCube.Experiments.Plots;

/// <summary>How a series is drawn.</summary>
public enum SeriesKind
{
    /// <summary>Straight lines between the points.</summary>
    Line,

    /// <summary>Lines and a mark at each point.</summary>
    LineWithMarks,

    /// <summary>Marks alone.</summary>
    Marks,

    /// <summary>A staircase: the value holds from its point to the next. For distributions.</summary>
    Steps,

    /// <summary>A bar per point, for axes with names; x is the place of the name, from 0.</summary>
    Bars,
}
