using System.Runtime.InteropServices;

namespace CamCube.Services.Camdoop.Records;

/// <summary>A pair to be sorted.</summary>
/// <param name="Prefix">First bytes of its key, so that they compare as a number.</param>
/// <param name="Group">Its group.</param>
/// <param name="At">Where its record is: later pairs have larger ones.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct PairEntry(ulong Prefix, int Group, int At)
{
    /// <summary>Bytes of one.</summary>
    public const int Bytes = 16;
}
