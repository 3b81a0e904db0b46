namespace CamCube.Experiments.Figures;

/// <summary>What became of a check.</summary>
public enum CheckOutcome
{
    /// <summary>The measured value is within the limit.</summary>
    Passed,

    /// <summary>It is not.</summary>
    Failed,

    /// <summary>There is no limit: the value is shown beside the others.</summary>
    Shown,

    /// <summary>This run was too small for it.</summary>
    NotMade,
}
