using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>How a tracker asks servers. Loop only.</summary>
internal interface IServerLine
{
    /// <summary>Tells a server what to do, and hears what it does.</summary>
    /// <param name="job">The job.</param>
    /// <param name="order">What it is to do.</param>
    /// <param name="at">The server.</param>
    /// <returns>Null: it does not answer.</returns>
    ValueTask<SyncReport?> SyncAsync(ulong job, SyncOrder order, Coordinate at);
}
