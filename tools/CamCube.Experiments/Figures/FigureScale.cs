namespace CamCube.Experiments.Figures;

/// <summary>How large a figure is run.</summary>
public enum FigureScale
{
    /// <summary>Seconds: shows that the figure runs. Checks that need more are not made, and the output says
    /// so.</summary>
    Smoke,

    /// <summary>Every check, with as few repetitions as they allow: all figures in ten minutes on two cores.</summary>
    Quick,

    /// <summary>As in the paper.</summary>
    Full,
}
