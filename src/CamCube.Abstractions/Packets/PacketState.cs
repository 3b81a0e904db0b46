namespace CamCube;

/// <summary>Who has a packet. Four bits of its owner word: state 4, service slot 8, server 20.</summary>
internal enum PacketState : uint
{
    Free = 0,
    Runtime = 1,
    Callback = 2,
    Held = 3,
    Queued = 4,
    Wire = 5,
}
