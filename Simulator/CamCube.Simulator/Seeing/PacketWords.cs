namespace CamCube.Simulator.Seeing;

/// <summary>What is in a packet, in short words; null: not known.</summary>
/// <param name="service">Whose packet it is.</param>
/// <param name="header">The service's header.</param>
/// <param name="body">The body, without virtual bytes.</param>
public delegate string? PacketWords(ServiceId service, ReadOnlySpan<byte> header, ReadOnlySpan<byte> body);
