namespace CamCube.Services.Collectives.Wire;

/// <summary>What an operation does. The numbers are in the wire format.</summary>
internal enum OperationKind : byte
{
    Barrier = 1,
    AllReduce = 2,
    Reduce = 3,
    Broadcast = 4,
    ReduceScatter = 5,
    AllGather = 6,
}
