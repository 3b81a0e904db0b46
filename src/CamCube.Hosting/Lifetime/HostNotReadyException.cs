namespace CamCube.Hosting.Lifetime;

/// <summary>The host is starting or stopping and takes no orders.</summary>
internal sealed class HostNotReadyException(IReadOnlyList<string> reasons)
    : InvalidOperationException($"The host is not ready: {string.Join("; ", reasons)}.");
