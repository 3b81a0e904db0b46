namespace CamCube.Simulator.Swarm;

/// <summary>A key packet at one end of its way.</summary>
/// <param name="Nanos">Virtual time at which it was sent, or delivered.</param>
/// <param name="Rank">The server that sent it, or at which it was delivered.</param>
/// <param name="Id">Names it; unique in the run.</param>
/// <param name="Route">The key's <see cref="Key.Route"/>.</param>
public readonly record struct KeyPacket(long Nanos, int Rank, ulong Id, ulong Route);
