using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Wire;

/// <summary>In front of the value of an answer. 32 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct AnswerHead
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 32;

    /// <summary>Run of the answering server.</summary>
    public ulong Run;

    /// <summary>Its clock.</summary>
    public long NowNanos;

    /// <summary>The item's token.</summary>
    public ulong Cas;

    /// <summary>The number of incr and decr.</summary>
    public ulong Number;
}
