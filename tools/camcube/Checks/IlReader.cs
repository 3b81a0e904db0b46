using System.Reflection.Emit;
using System.Reflection.Metadata;
using OperandType = System.Reflection.Emit.OperandType;

namespace CamCube.Tool.Checks;

/// <summary>The instructions of a method body.</summary>
internal static class IlReader
{
    private static readonly Dictionary<ILOpCode, OpCode> Codes = typeof(OpCodes)
        .GetFields()
        .Select(static field => field.GetValue(null))
        .OfType<OpCode>()
        .ToDictionary(static code => (ILOpCode)(ushort)code.Value);

    /// <summary>All, in order.</summary>
    /// <exception cref="BadImageFormatException">Bytes that are no instruction.</exception>
    public static IReadOnlyList<Instruction> Read(BlobReader il)
    {
        var all = new List<Instruction>();
        while (il.RemainingBytes > 0)
        {
            int offset = il.Offset;
            int first = il.ReadByte();
            var code = (ILOpCode)(first == 0xFE ? 0xFE00 | il.ReadByte() : first);
            if (!Codes.TryGetValue(code, out OpCode known))
            {
                throw new BadImageFormatException($"No instruction at IL_{offset:x4}.");
            }

            int[] targets = [];
            int operand = 0;
            bool hasToken = false;
            switch (known.OperandType)
            {
                case OperandType.InlineNone:
                    break;
                case OperandType.ShortInlineBrTarget:
                    operand = il.ReadSByte();
                    operand += il.Offset;
                    break;
                case OperandType.InlineBrTarget:
                    operand = il.ReadInt32();
                    operand += il.Offset;
                    break;
                case OperandType.ShortInlineI:
                    operand = il.ReadSByte();
                    break;
                case OperandType.ShortInlineVar:
                    operand = il.ReadByte();
                    break;
                case OperandType.InlineVar:
                    operand = il.ReadUInt16();
                    break;
                case OperandType.InlineI8 or OperandType.InlineR:
                    il.Offset += 8;
                    break;
                case OperandType.InlineSwitch:
                    int cases = il.ReadInt32();
                    int behind = checked(il.Offset + (4 * cases));
                    targets = new int[Math.Clamp(cases, 0, il.RemainingBytes / 4)];
                    for (int i = 0; i < targets.Length; i++)
                    {
                        targets[i] = behind + il.ReadInt32();
                    }

                    il.Offset = behind;
                    break;
                default:
                    operand = il.ReadInt32();
                    hasToken =
                        known.OperandType
                            is OperandType.InlineMethod
                                or OperandType.InlineField
                                or OperandType.InlineTok
                                or OperandType.InlineType;
                    break;
            }

            all.Add(new Instruction(code, offset, il.Offset, operand, hasToken, targets));
        }

        return all;
    }

    /// <summary>How many values an instruction takes from the stack and leaves there; of calls, returns and what
    /// empties the stack nothing.</summary>
    public static (int Taken, int Left) StackOf(ILOpCode code)
    {
        OpCode known = Codes[code];
        int taken = known.StackBehaviourPop switch
        {
            StackBehaviour.Pop0 or StackBehaviour.Varpop => 0,
            StackBehaviour.Pop1 or StackBehaviour.Popi or StackBehaviour.Popref => 1,
            StackBehaviour.Popi_popi_popi
            or StackBehaviour.Popref_popi_popi
            or StackBehaviour.Popref_popi_popi8
            or StackBehaviour.Popref_popi_popr4
            or StackBehaviour.Popref_popi_popr8
            or StackBehaviour.Popref_popi_popref
            or StackBehaviour.Popref_popi_pop1 => 3,
            _ => 2,
        };
        int left = known.StackBehaviourPush switch
        {
            StackBehaviour.Push0 or StackBehaviour.Varpush => 0,
            StackBehaviour.Push1_push1 => 2,
            _ => 1,
        };
        return (taken, left);
    }
}
