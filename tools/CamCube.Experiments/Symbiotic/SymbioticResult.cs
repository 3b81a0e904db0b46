namespace CamCube.Experiments.Symbiotic;

/// <summary>What went over cables while four services worked.</summary>
/// <param name="Cache">Packets of the cache, each once for each cable.</param>
/// <param name="Aggregation">Those of vectors that become one.</param>
/// <param name="Distribution">Those of a file for all.</param>
/// <param name="Tunnel">Those of the tunnel.</param>
/// <param name="Control">Those of the link-state service: what base routing needs to know.</param>
/// <param name="News">Packets of the link-state service that say what has changed, after a cable was cut and mended,
/// which comes behind all else here.</param>
/// <param name="Delivered">Datagrams that came through the tunnel.</param>
/// <param name="Sent">Datagrams that were to.</param>
internal sealed record SymbioticResult(
    long Cache,
    long Aggregation,
    long Distribution,
    long Tunnel,
    long Control,
    long News,
    int Delivered,
    int Sent
);
