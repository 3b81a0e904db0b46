namespace CamCube.Hosting.Lifetime.Windows;

/// <summary>The process is to be a Windows service, and was started by somebody else.</summary>
internal sealed class NotAServiceException() : InvalidOperationException(
    "CamCube:WindowsService = 'true', but the service manager has not started this process. Leave the setting out to run it in the foreground; " +
    "docs/deployment.md says how to make a service of it.");
