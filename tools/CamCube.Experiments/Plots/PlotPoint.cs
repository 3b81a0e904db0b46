namespace CamCube.Experiments.Plots;

/// <summary>A point of a series.</summary>
/// <param name="X">Across.</param>
/// <param name="Y">Up.</param>
/// <param name="Low">Lower end of a spread bar, if there is one.</param>
/// <param name="High">Upper end of it.</param>
public readonly record struct PlotPoint(double X, double Y, double? Low = null, double? High = null);
