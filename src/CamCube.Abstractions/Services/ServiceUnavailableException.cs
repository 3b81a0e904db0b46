namespace CamCube;

/// <summary>No such service is running on this server: stopped, faulted, or not configured.</summary>
/// <param name="service">The service, or the interface that was asked for.</param>
public sealed class ServiceUnavailableException(string service)
    : InvalidOperationException($"Service {service} is not running on this server.");
