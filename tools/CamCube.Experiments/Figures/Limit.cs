using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Figures;

/// <summary>A range that a value must lie in, both ends included.</summary>
/// <param name="Least">Lower end, if there is one.</param>
/// <param name="Most">Upper end, if there is one.</param>
public readonly record struct Limit(double? Least, double? Most)
{
    /// <summary>This or more.</summary>
    public static Limit AtLeast(double least) => new(least, null);

    /// <summary>This or less.</summary>
    public static Limit AtMost(double most) => new(null, most);

    /// <summary>From one to the other.</summary>
    public static Limit Between(double least, double most) => new(least, most);

    /// <summary>This and nothing else.</summary>
    public static Limit Exactly(double value) => new(value, value);

    /// <summary>At most this part away from a positive value: 0.05 is 5 %.</summary>
    public static Limit Near(double value, double part) => new(value * (1 - part), value * (1 + part));

    /// <summary>Whether a value lies in it; what is no number never does.</summary>
    public bool Contains(double value) => !double.IsNaN(value) && !(value < Least) && !(value > Most);

    /// <summary>"= 0", ">= 0.95", "&lt;= 1", "30 to 48".</summary>
    public override string ToString() =>
        (Least, Most) switch
        {
            ({ } least, null) => $">= {Numbers.Short(least)}",
            (null, { } most) => $"<= {Numbers.Short(most)}",
            ({ } least, { } most) when least == most => $"= {Numbers.Short(least)}",
            ({ } least, { } most) => $"{Numbers.Short(least)} to {Numbers.Short(most)}",
            _ => "any",
        };
}
