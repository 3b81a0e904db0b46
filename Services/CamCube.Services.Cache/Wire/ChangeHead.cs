using System.Runtime.InteropServices;
using CamCube.Calls;

namespace CamCube.Services.Cache.Wire;

/// <summary>In front of key and value of a change. 80 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct ChangeHead
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 80;

    /// <summary>What makes it one that is done at most once.</summary>
    public CallHead Call;

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
