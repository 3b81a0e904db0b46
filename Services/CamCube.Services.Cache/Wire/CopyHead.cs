using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Wire;

/// <summary>In front of the client's key, the <see cref="AnswerHead"/> and the value of a copy. 48 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct CopyHead
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 48;

    /// <summary>What the holder sent.</summary>
    public FetchHead Fetch;

    /// <summary>For how long it may be kept; 0: not at all.</summary>
    public long LeaseNanos;

    /// <summary>The last flush_all that the root has done.</summary>
    public ulong FlushStamp;
}
