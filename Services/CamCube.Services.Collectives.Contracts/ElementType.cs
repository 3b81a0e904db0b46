namespace CamCube.Services.Collectives;

/// <summary>What the elements of a vector are, each little-endian. The numbers are in the wire format.</summary>
public enum ElementType : byte
{
    /// <summary>Whole numbers of 1 byte.</summary>
    Int8 = 1,

    /// <summary>Whole numbers of 2 bytes.</summary>
    Int16 = 2,

    /// <summary>Whole numbers of 4 bytes.</summary>
    Int32 = 3,

    /// <summary>Whole numbers of 8 bytes.</summary>
    Int64 = 4,

    /// <summary>IEEE 754 binary16. Worked out as <see cref="Float32"/> and rounded to even at every server.</summary>
    Float16 = 5,

    /// <summary>IEEE 754 binary32.</summary>
    Float32 = 6,

    /// <summary>IEEE 754 binary64.</summary>
    Float64 = 7,

    /// <summary>The upper 16 bits of a <see cref="Float32"/>. Worked out as one and rounded to even at every
    /// server.</summary>
    BFloat16 = 8,
}
