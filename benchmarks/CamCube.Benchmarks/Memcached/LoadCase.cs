namespace CamCube.Benchmarks.Memcached;

/// <summary>One kind of load.</summary>
/// <param name="Word">What chooses it on the command line.</param>
/// <param name="Name">What it is.</param>
/// <param name="Mode">memload's mode.</param>
/// <param name="Batch">memload's batch.</param>
/// <param name="Asked">The ratio that is asked for; null: none.</param>
internal sealed record LoadCase(string Word, string Name, string Mode, int Batch, double? Asked)
{
    /// <summary>Over a Unix socket and not TCP.</summary>
    public bool IsUnix { get; init; }

    /// <summary>Threads of both servers. With more than one they have all processors, and so has the load.</summary>
    public int Threads { get; init; } = 1;

    /// <summary>Ours is a cube of two servers, and every key's root the one that the client is not connected
    /// to.</summary>
    public bool IsForwarded { get; init; }

    /// <summary>Percent of the requests that store.</summary>
    public int SetPercent { get; init; } = 10;

    /// <summary>Where the servers run.</summary>
    public string Processors => Threads == 1 ? "0" : "0,1";

    /// <summary>Where the load runs.</summary>
    public string LoadProcessors => Threads == 1 ? "1" : "0,1";
}
