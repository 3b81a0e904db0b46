namespace CamCube.Experiments.Shuffles;

/// <summary>What a job on real cables took.</summary>
/// <param name="Seconds">From the end of the last map task to the end of the last reduce.</param>
/// <param name="Bytes">Pairs that map tasks kept for the reduces.</param>
/// <param name="Processors">Processors that all servers together took in the mean of the whole job.</param>
internal sealed record CableJob(double Seconds, long Bytes, double Processors);
