namespace CamCube.Simulator.Disks;

/// <summary>Kinds of operations, as faults tell them apart.</summary>
internal enum DiskOperation
{
    Read,
    Write,
    Sync,
    Names,
}
