using System.Runtime.CompilerServices;

namespace CamCube.Experiments.Transfers;

/// <summary>The sequence numbers that one acknowledgement names.</summary>
[InlineArray(Count)]
public struct AckedSequences
{
    /// <summary>How many.</summary>
    public const int Count = 12;

    private uint _first;
}
