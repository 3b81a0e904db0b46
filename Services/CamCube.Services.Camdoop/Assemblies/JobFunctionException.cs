namespace CamCube.Services.Camdoop.Assemblies;

/// <summary>A function of a job did what it may not; the message is for people.</summary>
internal sealed class JobFunctionException(string message) : Exception(message);
