namespace CamCube.Experiments.Cables;

/// <summary>What a service got of a link.</summary>
/// <param name="Run">Which services were at it.</param>
/// <param name="Service">Its name.</param>
/// <param name="Weight">Its weight.</param>
/// <param name="Expected">Weight / sum of the weights.</param>
/// <param name="Measured">Its part of the bytes.</param>
internal sealed record ServiceShare(string Run, string Service, int Weight, double Expected, double Measured);
