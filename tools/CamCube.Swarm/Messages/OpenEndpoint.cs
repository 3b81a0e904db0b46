using CamCube.Services.Messenger;

namespace CamCube.Swarm.Messages;

/// <summary>An endpoint that the workload has opened.</summary>
/// <param name="Endpoint">It.</param>
/// <param name="Rank">Its server.</param>
/// <param name="Stops">How often that server had been stopped: if it is more often now, the endpoint is gone.</param>
/// <param name="Restarts">How often its messenger alone had begun anew.</param>
internal sealed record OpenEndpoint(IEndpoint Endpoint, int Rank, int Stops, int Restarts)
{
    /// <summary>The ledger knows that it has its name.</summary>
    public bool IsNoted { get; set; }
}
