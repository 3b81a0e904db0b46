namespace CamCube.Services.Messenger.Resolving;

/// <summary>An answer to a search.</summary>
/// <param name="Place">The place, if it is known.</param>
/// <param name="MayChange">Nobody has the name yet, but may have said so soon.</param>
internal readonly record struct FoundPlace(EndpointPlace Place, bool MayChange);
