namespace CamCube.Experiments.Cables;

/// <summary>Medians.</summary>
internal static class Medians
{
    /// <summary>The median of some numbers; no number if there are none.</summary>
    public static double Of(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted.Length == 0 ? double.NaN : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
