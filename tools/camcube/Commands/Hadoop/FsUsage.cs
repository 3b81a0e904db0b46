namespace CamCube.Tool.Commands.Hadoop;

/// <summary>A command line of <c>hadoop fs</c> that is none.</summary>
/// <param name="message">What is wrong.</param>
internal sealed class FsUsage(string message) : Exception(message);
