namespace CamCube.Services.Messenger.Moves;

/// <summary>An answer of the server that an endpoint moves to.</summary>
/// <param name="Token">Token of the endpoint that waits there; 0: none does.</param>
/// <param name="Place">Its server and run, and a term that was used there.</param>
internal readonly record struct MoveReply(ulong Token, EndpointPlace Place);
