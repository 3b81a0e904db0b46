using CamCube.Simulator.Disks;

namespace CamCube.Simulator.Swarm;

/// <summary>What the faults of a swarm run mean for a disk.</summary>
internal static class DiskTrouble
{
    /// <summary>The rules to put into force; none for faults of other things.</summary>
    /// <param name="kind">The fault.</param>
    /// <param name="part">How many operations it hits, from 0 to 1.</param>
    /// <param name="detectionTime">A slow disk takes up to a tenth of it longer.</param>
    /// <param name="random">Draws the rest.</param>
    public static DiskFault[] Of(FaultKind kind, double part, TimeSpan detectionTime, Random random) =>
        kind switch
        {
            FaultKind.DiskRot => [new DiskRot(part)],
            FaultKind.MisplacedWrites => [new MisplacedWrites(part)],
            FaultKind.StuckDisk => [new StuckDiskOperations(part)],
            FaultKind.LostFiles => [new LostFiles(random.NextDouble())],
            FaultKind.TornWrites => [new SurvivingWrites(random.NextDouble() / 2), new TornWrites(random.NextDouble())],
            FaultKind.FullDisk => [new FullDisk()],
            FaultKind.SlowDisk => [new DiskSlowness(detectionTime * (0.1 * random.NextDouble()))],
            FaultKind.FailingDisk => [new DiskReadFailures(part), new DiskWriteFailures(part)],
            FaultKind.LyingSyncs => [new LyingSyncs(random.NextDouble())],
            _ => [],
        };
}
