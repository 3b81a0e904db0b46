using System.Reflection.Metadata;

namespace CamCube.Tool.Checks;

/// <summary>Comparisons of values of which enough is known.</summary>
internal static class Comparison
{
    /// <summary>Whether it holds; null: that is not known.</summary>
    public static bool? Of(ILOpCode code, FlowValue left, FlowValue right, Func<int, bool> isRented)
    {
        if (left.Kind == FlowKind.Number && right.Kind == FlowKind.Number)
        {
            return OfNumbers(code, left.Number, right.Number);
        }

        bool? isThere =
            right.Kind == FlowKind.Null ? left.IsTrue(isRented)
            : left.Kind == FlowKind.Null ? right.IsTrue(isRented)
            : null;
        return code switch
        {
            ILOpCode.Ceq or ILOpCode.Beq or ILOpCode.Beq_s => !isThere,
            // As compilers write "is not null".
            ILOpCode.Cgt_un or ILOpCode.Bne_un or ILOpCode.Bne_un_s => isThere,
            _ => null,
        };
    }

    private static bool? OfNumbers(ILOpCode code, int left, int right) =>
        code switch
        {
            ILOpCode.Ceq or ILOpCode.Beq or ILOpCode.Beq_s => left == right,
            ILOpCode.Bne_un or ILOpCode.Bne_un_s => left != right,
            ILOpCode.Cgt or ILOpCode.Bgt or ILOpCode.Bgt_s => left > right,
            ILOpCode.Clt or ILOpCode.Blt or ILOpCode.Blt_s => left < right,
            ILOpCode.Bge or ILOpCode.Bge_s => left >= right,
            ILOpCode.Ble or ILOpCode.Ble_s => left <= right,
            ILOpCode.Cgt_un or ILOpCode.Bgt_un or ILOpCode.Bgt_un_s => (uint)left > (uint)right,
            ILOpCode.Clt_un or ILOpCode.Blt_un or ILOpCode.Blt_un_s => (uint)left < (uint)right,
            ILOpCode.Bge_un or ILOpCode.Bge_un_s => (uint)left >= (uint)right,
            ILOpCode.Ble_un or ILOpCode.Ble_un_s => (uint)left <= (uint)right,
            _ => null,
        };
}
