using System.Runtime.InteropServices;

namespace CamCube.TestServices.Banned;

/// <summary>Right in all.</summary>
[CamCubeService(0x7201, "right", Header = typeof(Fits))]
public sealed class Right : CamCubeService
{
    private const int Most = 3;
    private static readonly int[] Table = [1, Most];
    private readonly Func<int, int> _twice = static n => 2 * n;

    /// <summary>Something.</summary>
    public int Value => _twice(Table[0]);

    /// <summary>16 bytes, packed.</summary>
    [StructLayout(LayoutKind.Sequential, Pack = 4)]
    public struct Fits
    {
        /// <summary>A number.</summary>
        public long Number;

        /// <summary>Where.</summary>
        public Link Way;

        /// <summary>A part.</summary>
        public Part Inner;
    }

    /// <summary>Four bytes.</summary>
    public struct Part
    {
        /// <summary>Two.</summary>
        public short Left;

        /// <summary>And two.</summary>
        public short Right;
    }
}

/// <summary>An id of the runtime's.</summary>
[CamCubeService(0x0012, "low")]
public sealed class Low : CamCubeService;

/// <summary>The id of another one, and a name that is none.</summary>
[CamCubeService(0x7201, "Twice")]
public sealed class Twice : CamCubeService;

/// <summary>A header that is too long.</summary>
[CamCubeService(0x7202, "long", Header = typeof(Large))]
public sealed class Long : CamCubeService
{
    /// <summary>65 bytes, and what aligning them takes.</summary>
    public struct Large
    {
        /// <summary>Half.</summary>
        public Half First;

        /// <summary>The other one.</summary>
        public Half Second;

        /// <summary>And one.</summary>
        public byte Third;
    }

    /// <summary>32 bytes.</summary>
    public struct Half
    {
        /// <summary>8.</summary>
        public long A,
            B,
            C,
            D;
    }
}

/// <summary>A header with a text in it.</summary>
[CamCubeService(0x7203, "words", Header = typeof(Text))]
public sealed class Words : CamCubeService
{
    /// <summary>A reference.</summary>
    public struct Text
    {
        /// <summary>A text.</summary>
        public string Word;
    }
}

/// <summary>A header that is a class, and state that all servers share.</summary>
[CamCubeService(0x7204, "shared", Header = typeof(Right))]
public sealed class Shared : CamCubeService
{
    private static int _count;

    /// <summary>So is this.</summary>
    public static int Last { get; set; }

    /// <inheritdoc/>
    public override void OnStart() => Last = ++_count;
}
