using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CamCube.Tool.Tests.Wireshark;

/// <summary>A header with a field of each kind.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal unsafe struct OddHeader
{
    public byte Kind;
    public bool IsLast;
    public Colour Colours;
    public Mood Feels;
    public Inner Inside;
    public fixed ushort Three[3];
    public fixed byte Raw[4];
    public float Warmth;
    public Coordinate Home;
    public Pair Pairs;
    public short words;
    public long _words;

    public ulong Auto { get; set; }

    [Flags]
    public enum Colour : ushort
    {
        None = 0,
        Red = 1,
        Blue = 0x8000,
        Both = Red | Blue,
    }

    public enum Mood : sbyte
    {
        Bad = -1,
        Even = 0,
    }

    [StructLayout(LayoutKind.Explicit, Size = 6)]
    public struct Inner
    {
        [FieldOffset(0)]
        public uint HTTPCode2;

        [FieldOffset(2)]
        public ushort Upper;

        [FieldOffset(5)]
        public Link Link;
    }

    [InlineArray(2)]
    public struct Pair
    {
        public One First;
    }

    public struct One
    {
        public byte A { get; set; }

        public sbyte B { get; set; }
    }
}
