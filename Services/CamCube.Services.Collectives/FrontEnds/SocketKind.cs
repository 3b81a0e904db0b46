namespace CamCube.Services.Collectives.FrontEnds;

/// <summary>What a message asks for. The numbers are in docs/collectives-socket.md.</summary>
internal enum SocketKind : byte
{
    Barrier = 1,
    AllReduce = 2,
    Reduce = 3,
    Broadcast = 4,
    ReduceScatter = 5,
    AllGather = 6,
    Open = 16,
    Close = 17,
}
