namespace CamCube;

/// <summary>What a link provider is told.</summary>
/// <param name="Coordinate">The server whose links are wanted.</param>
/// <param name="Shape">The cube.</param>
/// <param name="Settings">The flat settings below <c>CamCube:{provider name}</c>, keys as in configuration, without case.</param>
public sealed record LinkProviderRequest(Coordinate Coordinate, TorusShape Shape, IReadOnlyDictionary<string, string> Settings);
