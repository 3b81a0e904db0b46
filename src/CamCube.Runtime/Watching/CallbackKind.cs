namespace CamCube.Runtime.Watching;

/// <summary>What of a service is called. Packets are the default, so that the packet path need not write it.</summary>
internal enum CallbackKind : byte
{
    OnPacket = 0,
    OnPoll,
    Constructor,
    OnStart,
    OnStop,
    OnTopologyChanged,
    OnReturning,
    OnStopping,
    Timer,
    Work,
    Call,
    Agent,
}
