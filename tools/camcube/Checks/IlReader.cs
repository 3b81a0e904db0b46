using System.Reflection.Emit;
using System.Reflection.Metadata;
using OperandType = System.Reflection.Emit.OperandType;

namespace CamCube.Tool.Checks;

/// <summary>Goes through the instructions of a method body and shows those that name something by a token.</summary>
internal static class IlReader
{
    private static readonly OperandType?[] OneByte = new OperandType?[256];
    private static readonly OperandType?[] TwoBytes = new OperandType?[256];

    static IlReader()
    {
        foreach (System.Reflection.FieldInfo field in typeof(OpCodes).GetFields())
        {
            if (field.GetValue(null) is OpCode code)
            {
                (code.Size == 1 ? OneByte : TwoBytes)[(byte)code.Value] = code.OperandType;
            }
        }
    }

    /// <summary>Visits instructions with a token: opcode, token, offset, whether the one before it loads 0.</summary>
    /// <exception cref="BadImageFormatException">Bytes that are no instruction.</exception>
    public static void Visit(BlobReader il, Action<ILOpCode, int, int, bool> visit)
    {
        int before = 0;
        while (il.RemainingBytes > 0)
        {
            int offset = il.Offset;
            int code = il.ReadByte();
            OperandType? operand = OneByte[code];
            if (code == 0xFE)
            {
                int second = il.ReadByte();
                operand = TwoBytes[second];
                code = 0xFE00 | second;
            }

            switch (operand)
            {
                case OperandType.InlineMethod
                or OperandType.InlineField
                or OperandType.InlineTok
                or OperandType.InlineType:
                    visit((ILOpCode)code, il.ReadInt32(), offset, before == (int)ILOpCode.Ldc_i4_0);
                    break;
                case OperandType.InlineSwitch:
                    int cases = il.ReadInt32();
                    il.Offset += checked(4 * cases);
                    break;
                default:
                    il.Offset += LengthOf(operand, offset);
                    break;
            }

            before = code;
        }
    }

    private static int LengthOf(OperandType? operand, int offset) =>
        operand switch
        {
            OperandType.InlineNone => 0,
            OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
            OperandType.InlineVar => 2,
            OperandType.InlineI8 or OperandType.InlineR => 8,
            null => throw new BadImageFormatException($"No instruction at IL_{offset:x4}."),
            _ => 4,
        };
}
