using System.Runtime.InteropServices;

namespace CamCube.FrontEnds.Connections;

/// <summary>
/// What one loop has received from its clients and sent to them. Its loop counts, anybody reads. Alone in its cache
/// lines: loops that counted in the same ones took them from each other with each request (benchmark <c>memcached
/// threads</c>).
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 192)]
internal sealed class LoopTraffic
{
    [FieldOffset(64)]
    private long _read;

    [FieldOffset(72)]
    private long _written;

    /// <summary>Bytes received.</summary>
    public long BytesRead => Volatile.Read(ref _read);

    /// <summary>Bytes sent.</summary>
    public long BytesWritten => Volatile.Read(ref _written);

    public void CountRead(int bytes) => Volatile.Write(ref _read, _read + bytes);

    public void CountWritten(int bytes) => Volatile.Write(ref _written, _written + bytes);
}
