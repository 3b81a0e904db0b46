namespace CamCube.Hosting.Faults;

/// <summary>A fault rule of the settings does not fit this cube. The message is one line for people.</summary>
internal sealed class FaultSettingException(string message, Exception inner) : Exception(message, inner);
