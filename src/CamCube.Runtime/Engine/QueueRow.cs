using System.Runtime.CompilerServices;

namespace CamCube.Runtime.Engine;

/// <summary>What egress knows of one service, together in one cache line: its queue's size, where that could leave, and
/// its credit.</summary>
internal struct QueueRow
{
    private const ulong OnePerByte = 0x0101_0101_0101_0101;

    // A byte per link: lanes that could leave by it. There are at most 63 lanes of a service.
    private ulong _lanes;

    /// <summary>Packets that wait.</summary>
    public int Count;

    /// <summary>Most packets that may wait.</summary>
    public int Limit;

    /// <summary>Bytes per turn.</summary>
    public int Quantum;

    /// <summary>Bytes that may still be sent in this turn, or the debt, per link.</summary>
    public PerLink Credit;

    /// <summary>Links by which something could leave.</summary>
    public readonly int Links
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            // A bit per byte that is not zero, then those bits side by side.
            ulong some = (_lanes + (OnePerByte * 0x7F)) >> 7 & OnePerByte;
            return (int)(some * 0x0102_0408_1020_4080 >> 56);
        }
    }

    /// <summary>A lane of this set of links exists now.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddLane(int set) => _lanes += Spread(set);

    /// <summary>It has gone.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void RemoveLane(int set) => _lanes -= Spread(set);

    // Bit i of the set to byte i: the set seven bits apart, of which each byte keeps one.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Spread(int set) => (ulong)set * 0x408_1020_4081 & OnePerByte;

    [InlineArray(CamCube.Links.Cables)]
    public struct PerLink
    {
        private int _first;
    }
}
