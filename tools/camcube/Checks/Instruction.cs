using System.Reflection.Metadata;

namespace CamCube.Tool.Checks;

/// <summary>One instruction of a method body.</summary>
/// <param name="Code">Which one.</param>
/// <param name="Offset">Where it begins.</param>
/// <param name="Next">Where the next one begins.</param>
/// <param name="Operand">A token, a small number, the number of a variable, or where a branch leads; else 0.</param>
/// <param name="HasToken">Whether the operand is a token of something named.</param>
/// <param name="Targets">Where a switch leads; of others none.</param>
internal sealed record Instruction(ILOpCode Code, int Offset, int Next, int Operand, bool HasToken, int[] Targets);
