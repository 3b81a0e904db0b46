namespace CamCube.Services.Messenger.Moves;

/// <summary>Where an endpoint has gone that was here.</summary>
/// <param name="Term">Its term here.</param>
/// <param name="To">Where it is.</param>
/// <param name="UntilNanos">How long messages for it are passed on.</param>
internal readonly record struct Forwarding(uint Term, EndpointPlace To, long UntilNanos);
