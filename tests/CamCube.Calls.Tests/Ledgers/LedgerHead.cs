using System.Runtime.InteropServices;

namespace CamCube.Calls.Tests.Ledgers;

/// <summary>Content of an addition.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct LedgerHead
{
    public const int Size = 48;
    public CallHead Call;
    public Coordinate Root;
    public ushort Unused;

    /// <summary>The client's call, in all attempts and under all numbers.</summary>
    public long Name;
    public long Delta;
}
