using System.Reflection.Metadata;

namespace CamCube.Tool.Checks;

/// <summary>What short forms of instructions mean.</summary>
internal static class FlowCode
{
    /// <summary>Which variable an instruction is about; null: none.</summary>
    public static int? VariableOf(Instruction one) =>
        one.Code switch
        {
            >= ILOpCode.Ldarg_0 and <= ILOpCode.Ldarg_3 => MethodVariables.OfParameter(one.Code - ILOpCode.Ldarg_0),
            >= ILOpCode.Ldloc_0 and <= ILOpCode.Ldloc_3 => one.Code - ILOpCode.Ldloc_0,
            >= ILOpCode.Stloc_0 and <= ILOpCode.Stloc_3 => one.Code - ILOpCode.Stloc_0,
            ILOpCode.Ldarg_s
            or ILOpCode.Ldarga_s
            or ILOpCode.Starg_s
            or ILOpCode.Ldarg
            or ILOpCode.Ldarga
            or ILOpCode.Starg => MethodVariables.OfParameter(one.Operand),
            ILOpCode.Ldloc_s
            or ILOpCode.Ldloca_s
            or ILOpCode.Stloc_s
            or ILOpCode.Ldloc
            or ILOpCode.Ldloca
            or ILOpCode.Stloc => one.Operand,
            _ => null,
        };

    /// <summary>What an instruction that is about a variable does with it.</summary>
    public static VariableUse UseOf(ILOpCode code) =>
        code switch
        {
            (>= ILOpCode.Stloc_0 and <= ILOpCode.Stloc_3)
            or ILOpCode.Stloc_s
            or ILOpCode.Stloc
            or ILOpCode.Starg_s
            or ILOpCode.Starg => VariableUse.Store,
            ILOpCode.Ldarga_s or ILOpCode.Ldarga or ILOpCode.Ldloca_s or ILOpCode.Ldloca => VariableUse.Address,
            _ => VariableUse.Load,
        };

    /// <summary>The number that an instruction loads.</summary>
    public static int NumberOf(Instruction one) =>
        one.Code is ILOpCode.Ldc_i4_s or ILOpCode.Ldc_i4 ? one.Operand : one.Code - ILOpCode.Ldc_i4_0;
}
