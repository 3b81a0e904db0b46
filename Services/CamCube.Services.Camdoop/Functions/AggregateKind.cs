namespace CamCube.Services.Camdoop.Functions;

/// <summary>How values of a key become one, as the key says before its first colon: Hadoop's aggregate
/// package.</summary>
internal enum AggregateKind
{
    /// <summary>The key says none of the others.</summary>
    None = 0,

    /// <summary>The sum of whole numbers, 64 bits.</summary>
    LongValueSum,

    /// <summary>The largest of whole numbers.</summary>
    LongValueMax,

    /// <summary>The smallest of whole numbers.</summary>
    LongValueMin,

    /// <summary>The sum of numbers.</summary>
    DoubleValueSum,

    /// <summary>The last of texts, byte by byte.</summary>
    StringValueMax,

    /// <summary>The first of texts.</summary>
    StringValueMin,

    /// <summary>How many different values there are.</summary>
    UniqValueCount,

    /// <summary>How many different values there are, and the least, the middle, the largest, the mean and the spread of
    /// how often each is there.</summary>
    ValueHistogram,
}
