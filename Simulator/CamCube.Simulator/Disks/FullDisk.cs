namespace CamCube.Simulator.Disks;

/// <summary>Disks have no room left, whatever is on them: what would make a file longer ends as
/// <see cref="DiskStatus.Full"/>. Nothing is drawn.</summary>
public sealed record FullDisk : DiskFault
{
    internal override bool Fills => true;
}
