namespace CamCube.Cables;

/// <summary>One port of a server: the end of a cable, before anybody knows whether it is the right cable.</summary>
/// <param name="Number">Its index in <see cref="CablePorts.Ports"/>, from 0.</param>
/// <param name="Name">Its name for people: <c>eth3</c>, or the other end's address.</param>
/// <param name="Link">The link that it is meant to be, or null for a port that is only listened on, to say what is
/// cabled there.</param>
public sealed record CablePort(int Number, string Name, Link? Link);
