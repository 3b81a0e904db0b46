using System.Runtime.InteropServices;

namespace CamCube.Calls;

/// <summary>
/// What makes an attempt of a change one that is done at most once. 24 bytes, little-endian. The service puts it into
/// the head of its changes, and the coordinate of the root that is meant beside it.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct CallHead
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 24;

    /// <summary>Number of the request within the run of the asking server, growing: with both the request's id, the
    /// same in all its attempts.</summary>
    public ulong Number;

    /// <summary>Run of the server that is meant; 0 when the asking server does not know it, and wants to.</summary>
    public ulong RootRun;

    /// <summary>Time on that server's clock from which this attempt must not be done.</summary>
    public long DeadlineNanos;
}
