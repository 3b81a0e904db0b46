namespace CamCube;

/// <summary>
/// What waits in the queues of a server for one link, frames with their overhead. A packet that waits for the first
/// free one of several links counts for each of them. What sources have is not known, and not in it.
/// </summary>
/// <param name="Packets">Packets of all services.</param>
/// <param name="Bytes">Their bytes.</param>
/// <param name="OwnPackets">Those of the service that asks.</param>
/// <param name="OwnBytes">Their bytes.</param>
public readonly record struct Backlog(int Packets, long Bytes, int OwnPackets, long OwnBytes);
