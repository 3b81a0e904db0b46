namespace CamCube.Experiments.Plots;

/// <summary>Where the numbers of a series are from: decides colour, dash and mark, so that all pictures look
/// alike.</summary>
public enum SeriesRole
{
    /// <summary>This run: strong colours.</summary>
    Measured,

    /// <summary>Theory or a model: grey, dashed.</summary>
    Expected,

    /// <summary>The paper: orange, diamonds.</summary>
    Paper,

    /// <summary>A bound that a check asks for: red, dotted.</summary>
    Bound,
}
