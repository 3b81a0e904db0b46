using CamCube.Services.Distribution;

namespace CamCube.Swarm.Distributions;

/// <summary>A file that is being sent, as its client sees it.</summary>
/// <param name="rank">The source.</param>
/// <param name="service">Its service: another one knows nothing of it.</param>
/// <param name="name">The file.</param>
internal sealed class SentJob(int rank, DistributionService service, string name)
{
    /// <summary>The source.</summary>
    public int Rank => rank;

    /// <summary>Its service.</summary>
    public DistributionService Service => service;

    /// <summary>The file.</summary>
    public string Name => name;

    /// <summary>Whether it was begun, or refused.</summary>
    public DistributionAnswer? Answer { get; set; }

    /// <summary>It was asked to end.</summary>
    public bool IsCancelled { get; set; }

    /// <summary>How far it is.</summary>
    public DistributionState? State =>
        Answer is { Status: DistributionStatus.Started } answer ? service.StateOf(answer.Job) : null;
}
