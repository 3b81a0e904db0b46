namespace CamCube.Faults;

/// <summary>A packet at the moment at which it enters a link.</summary>
/// <param name="Sender">The server that sends it.</param>
/// <param name="Link">Its link.</param>
/// <param name="Packet">The packet, lent.</param>
/// <param name="NowNanos">Time of the links, in nanoseconds; a server's skewed clock does not matter here.</param>
internal readonly record struct LinkPassage(Coordinate Sender, Link Link, Packet Packet, long NowNanos);
