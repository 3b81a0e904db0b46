using System.Runtime.InteropServices;

namespace CamCube.Experiments.Transfers;

/// <summary>Header of data and acknowledgements: 60 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct TransferHeader
{
    /// <summary>Which transfer of the experiment; later ones are larger. Of earlier ones nothing is wanted.</summary>
    public uint Transfer;

    /// <summary>Number of a packet within its transfer; in acknowledgements how many are named.</summary>
    public uint Sequence;

    /// <summary>1: an acknowledgement.</summary>
    public uint IsAcknowledgement;

    /// <summary>Of an acknowledgement.</summary>
    public AckedSequences Acked;
}
