namespace CamCube.Hosting.Lifetime;

/// <summary>The host cannot start with these settings on this machine. Printed as it is; exit code 2.</summary>
/// <param name="message">One line for people.</param>
internal sealed class HostStartException(string message) : Exception(message);
