namespace CamCube.Workers;

/// <summary>What stands for a program in virtual time. It is called on the loop, once its input is complete.</summary>
/// <param name="start">How it was started.</param>
/// <param name="input">All of its input: lent for the call.</param>
public delegate FunctionEnd ProgramFunction(ProgramStart start, ReadOnlyMemory<byte> input);
