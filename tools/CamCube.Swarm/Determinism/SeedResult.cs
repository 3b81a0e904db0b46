namespace CamCube.Swarm.Determinism;

/// <summary>What a check says of one seed. The properties are the JSON of <c>camcube sim determinism
/// --json</c>.</summary>
/// <param name="Seed">The seed.</param>
/// <param name="Shape">Axis sizes, given or drawn.</param>
/// <param name="Hash">Trace hash of the first run.</param>
/// <param name="Events">Its events.</param>
/// <param name="PacketHops">Packets that arrived over a cable in it.</param>
/// <param name="Lost">Packets lost on cables and by faults in it.</param>
/// <param name="Faults">Services that threw and were restarted.</param>
/// <param name="Operations">How its cache operations ended.</param>
/// <param name="Checkpoints">Number of its checkpoints.</param>
/// <param name="Runs">How the seed was run, with the trace hash of each.</param>
/// <param name="Equal">Whether all runs did the same.</param>
/// <param name="Difference">Where the first two parted that did not.</param>
public sealed record SeedResult(
    ulong Seed,
    string Shape,
    string Hash,
    long Events,
    long PacketHops,
    long Lost,
    int Faults,
    string Operations,
    int Checkpoints,
    IReadOnlyList<SeedRun> Runs,
    bool Equal,
    Difference? Difference
);
