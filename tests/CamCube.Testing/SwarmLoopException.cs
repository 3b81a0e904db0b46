namespace CamCube.Testing;

/// <summary>A scenario goes on without end in one moment.</summary>
internal sealed class SwarmLoopException()
    : Exception("The scenario goes on and on while no virtual time passes: await something that takes time.");
