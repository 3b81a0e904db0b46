namespace CamCube.Experiments.Figures;

/// <summary>One value side by side: of the paper, of theory, measured; and whether it will do.</summary>
/// <param name="What">What it is, in a few words.</param>
/// <param name="Paper">The paper's value, if it gives one.</param>
/// <param name="Expected">What theory or a model says, if anything does.</param>
/// <param name="Measured">What came out; null if the check was not made.</param>
/// <param name="Unit">Unit of all three; empty for pure numbers.</param>
/// <param name="Limit">What is asked of the measured value; null if it is only shown.</param>
/// <param name="Outcome">What became of it.</param>
public sealed record FigureCheck(
    string What,
    double? Paper,
    double? Expected,
    double? Measured,
    string Unit,
    Limit? Limit,
    CheckOutcome Outcome
);
