namespace CamCube.Services.Collectives;

/// <summary>How two elements become one. The numbers are in the wire format.</summary>
public enum ReduceOperator : byte
{
    /// <summary>Their sum; of whole numbers its lowest bits.</summary>
    Sum = 1,

    /// <summary>Their product; of whole numbers its lowest bits.</summary>
    Product = 2,

    /// <summary>The smaller one; NaN if one is; −0 is smaller than 0.</summary>
    Min = 3,

    /// <summary>The larger one; NaN if one is; 0 is larger than −0.</summary>
    Max = 4,

    /// <summary>Bits that both have. Whole numbers only.</summary>
    And = 5,

    /// <summary>Bits that one has. Whole numbers only.</summary>
    Or = 6,

    /// <summary>Bits that just one has. Whole numbers only.</summary>
    Xor = 7,
}
