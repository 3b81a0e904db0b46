namespace CamCube.Chaos.Clients;

/// <summary>A client that asks any server, one operation at a time, and writes down all of them. One task.</summary>
internal interface IChaosClient : IDisposable
{
    /// <summary>Asks until the run is over. What it asked last may end as unknown.</summary>
    Task RunAsync(CancellationToken over);

    /// <summary>Reads a key until some server answers it.</summary>
    Task ReadAsync(string key, CancellationToken cancel);
}
