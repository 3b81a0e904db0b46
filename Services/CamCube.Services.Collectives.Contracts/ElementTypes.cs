namespace CamCube.Services.Collectives;

/// <summary>What is known of element types.</summary>
public static class ElementTypes
{
    /// <summary>Bytes of an element; 0: there is no such type.</summary>
    public static int SizeOf(ElementType type) =>
        type switch
        {
            ElementType.Int8 => 1,
            ElementType.Int16 or ElementType.Float16 or ElementType.BFloat16 => 2,
            ElementType.Int32 or ElementType.Float32 => 4,
            ElementType.Int64 or ElementType.Float64 => 8,
            _ => 0,
        };

    /// <summary>Whether elements are fractions: they have no <see cref="ReduceOperator.And"/>,
    /// <see cref="ReduceOperator.Or"/> and <see cref="ReduceOperator.Xor"/>.</summary>
    public static bool IsFloat(ElementType type) => type >= ElementType.Float16;
}
