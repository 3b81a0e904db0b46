namespace CamCube.Workers;

/// <summary>The answer to a start.</summary>
/// <param name="Status">Whether it was started.</param>
/// <param name="Program">The program: the receiver's, who disposes of it. Null unless it was started.</param>
/// <param name="Text">Why not, in words; empty if there is nothing to say.</param>
public readonly record struct ProgramStarted(ProgramStatus Status, IProgram? Program, string Text);
