using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Wire;

/// <summary>In front of key and value of a change. 80 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct ChangeHead
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 80;

    /// <summary>Number of the request within the run of the asking server, growing: with both the request's id, the
    /// same in all its attempts.</summary>
    public ulong Request;

    /// <summary>Run of the server that is meant; 0 when the asking server does not know it, and wants to.</summary>
    public ulong RootRun;

    /// <summary>Time on that server's clock from which this attempt must not be done.</summary>
    public long DeadlineNanos;

    /// <summary>Condition; 0 for none.</summary>
    public ulong Cas;

    /// <summary>The client's expiry.</summary>
    public long Expiry;

    /// <summary>Of incr and decr.</summary>
    public ulong Delta;

    /// <summary>The number that incr and decr begin with.</summary>
    public ulong Initial;

    /// <summary>Expiry of an item that is made because there was none.</summary>
    public long VivifyExpiry;

    /// <summary>Of <see cref="CacheTermOptions.Recache"/>.</summary>
    public int RecacheSeconds;

    /// <summary><see cref="CacheTermOptions"/>.</summary>
    public ushort Options;

    /// <summary>1: the value is larger than the largest item and was left out.</summary>
    public ushort IsTooLarge;

    /// <summary>The server that is meant.</summary>
    public Coordinate Root;

    /// <summary>0.</summary>
    public ushort Unused;
}
