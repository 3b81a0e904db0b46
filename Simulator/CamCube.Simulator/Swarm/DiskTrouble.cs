using CamCube.Simulator.Disks;

namespace CamCube.Simulator.Swarm;

/// <summary>What the faults of a swarm run mean for a disk.</summary>
internal static class DiskTrouble
{
    /// <summary>The rules to put into force; none for faults of other things.</summary>
    public static DiskFault[] Of(SwarmCube cube, FaultKind kind, Random random)
    {
        double part = cube.Options.DisturbedPart;
        return kind switch
        {
            FaultKind.DiskRot => [new DiskRot(part)],
            FaultKind.MisplacedWrites => [new MisplacedWrites(part)],
            FaultKind.StuckDisk => [new StuckDiskOperations(part)],
            FaultKind.LostFiles => [new LostFiles(random.NextDouble())],
            FaultKind.TornWrites => [new SurvivingWrites(random.NextDouble() / 2), new TornWrites(random.NextDouble())],
            FaultKind.FullDisk => [new FullDisk()],
            FaultKind.SlowDisk => [new DiskSlowness(cube.Options.DetectionTime * (0.1 * random.NextDouble()))],
            FaultKind.FailingDisk => [new DiskReadFailures(part), new DiskWriteFailures(part)],
            FaultKind.LyingSyncs => [new LyingSyncs(random.NextDouble())],
            _ => [],
        };
    }
}
