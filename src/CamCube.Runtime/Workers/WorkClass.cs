namespace CamCube.Runtime.Workers;

/// <summary>Kinds of work off the loop: the two of services, and files.</summary>
internal enum WorkClass
{
    Short = OffloadClass.Short,
    Long = OffloadClass.Long,
    Disk = 2,
}
