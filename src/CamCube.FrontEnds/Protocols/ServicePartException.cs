namespace CamCube.FrontEnds.Protocols;

/// <summary>
/// A service that a protocol entered by <see cref="ISharedService{TService}"/> has thrown, and its server knows: who
/// throws this has told it. The client whose question it was is closed, and nobody else is charged.
/// </summary>
/// <param name="inner">What it threw.</param>
public sealed class ServicePartException(Exception inner) : Exception("A part of the service has failed.", inner);
