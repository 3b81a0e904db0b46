namespace CamCube.Experiments.Figures;

/// <summary>The straight line closest to some points (least squares).</summary>
/// <param name="Offset">Its value at 0.</param>
/// <param name="Slope">How much it rises per unit.</param>
/// <param name="RSquared">Part of the variance that it explains: 1 if all points lie on it.</param>
public readonly record struct LinearFit(double Offset, double Slope, double RSquared)
{
    /// <summary>The line of at least two points of different x.</summary>
    public static LinearFit Of(IReadOnlyList<(double X, double Y)> points)
    {
        double meanX = points.Average(p => p.X),
            meanY = points.Average(p => p.Y);
        double xx = points.Sum(p => (p.X - meanX) * (p.X - meanX));
        double xy = points.Sum(p => (p.X - meanX) * (p.Y - meanY));
        double yy = points.Sum(p => (p.Y - meanY) * (p.Y - meanY));
        double slope = xy / xx;
        return new LinearFit(meanY - (slope * meanX), slope, yy == 0 ? 1 : xy * xy / (xx * yy));
    }

    /// <summary>The line's value at a place.</summary>
    public double At(double x) => Offset + (Slope * x);
}
