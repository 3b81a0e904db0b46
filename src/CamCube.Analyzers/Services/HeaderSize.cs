using System;
using System.Linq;
using System.Runtime.InteropServices;
using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers.Services;

/// <summary>How many bytes a struct without references has, as the runtime lays it out.</summary>
internal static class HeaderSize
{
    private const int MostNested = 16;

    /// <summary>Bytes and alignment; null: it cannot be said here (explicit places, generic fields).</summary>
    public static (int Bytes, int Alignment)? Of(ITypeSymbol type) => Of(type, 0);

    private static (int Bytes, int Alignment)? Of(ITypeSymbol type, int depth)
    {
        if (type is INamedTypeSymbol { EnumUnderlyingType: { } underlying })
        {
            type = underlying;
        }

        int simple = type.SpecialType switch
        {
            SpecialType.System_Boolean or SpecialType.System_Byte or SpecialType.System_SByte => 1,
            SpecialType.System_Char or SpecialType.System_Int16 or SpecialType.System_UInt16 => 2,
            SpecialType.System_Int32 or SpecialType.System_UInt32 or SpecialType.System_Single => 4,
            SpecialType.System_Int64 or SpecialType.System_UInt64 or SpecialType.System_Double => 8,
            SpecialType.System_IntPtr or SpecialType.System_UIntPtr => 8,
            _ => 0,
        };
        if (simple > 0)
        {
            return (simple, simple);
        }

        // Of others' types only the fields that a compiler is shown are known, and they may have more.
        if (depth == MostNested || type.DeclaringSyntaxReferences.Length == 0)
        {
            return null;
        }

        (int pack, int least, bool isExplicit) = LayoutOf(type);
        if (isExplicit)
        {
            return null;
        }

        int at = 0,
            widest = 1;
        foreach (IFieldSymbol field in type.GetMembers().OfType<IFieldSymbol>().Where(static f => !f.IsStatic))
        {
            if (field.IsFixedSizeBuffer || Of(field.Type, depth + 1) is not { } inner)
            {
                return null;
            }

            int alignment = pack > 0 ? Math.Min(pack, inner.Alignment) : inner.Alignment;
            at = Up(at, alignment) + inner.Bytes;
            widest = Math.Max(widest, alignment);
        }

        int repeats = type.GetAttributes()
            .FirstOrDefault(static one => one.AttributeClass?.Name == "InlineArrayAttribute")
            ?.ConstructorArguments.FirstOrDefault()
            .Value
            is int times
            ? times
            : 1;
        return (Math.Max(least, Math.Max(1, Up(at, widest) * repeats)), widest);
    }

    private static int Up(int at, int alignment) => (at + alignment - 1) / alignment * alignment;

    private static (int Pack, int Size, bool IsExplicit) LayoutOf(ITypeSymbol type)
    {
        AttributeData? layout = type.GetAttributes()
            .FirstOrDefault(static one => one.AttributeClass?.Name == nameof(StructLayoutAttribute));
        bool isExplicit =
            layout?.ConstructorArguments.FirstOrDefault().Value is { } kind
            && Convert.ToInt32(kind) == (int)LayoutKind.Explicit;
        return (Named("Pack"), Named("Size"), isExplicit);

        int Named(string name) =>
            layout?.NamedArguments.FirstOrDefault(one => one.Key == name).Value.Value is int value ? value : 0;
    }
}
