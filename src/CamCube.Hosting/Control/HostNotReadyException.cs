using CamCube.Hosting.Observing;

namespace CamCube.Hosting.Control;

/// <summary>The host is starting or stopping and takes no orders.</summary>
internal sealed class HostNotReadyException(IReadOnlyList<HealthReason> reasons)
    : InvalidOperationException($"The host is not ready: {string.Join("; ", reasons.Select(r => r.Text))}.");
