using System.Runtime.InteropServices;
using CamCube.Calls;

namespace CamCube.Services.Cache.Wire;

/// <summary>In front of the value of an answer. 56 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct AnswerHead
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 56;

    /// <summary>The answering server.</summary>
    public RootStamp Root;

    /// <summary>The item's token.</summary>
    public ulong Cas;

    /// <summary>The number of incr and decr.</summary>
    public ulong Number;

    /// <summary>Seconds until the item expires; −1: never.</summary>
    public long SecondsLeft;

    /// <summary>Bytes of the item's value, also when it does not follow.</summary>
    public int Length;

    /// <summary>Seconds since the item was used last, before this operation.</summary>
    public uint IdleSeconds;

    /// <summary>Bytes of memory of the item.</summary>
    public int MemoryBytes;

    /// <summary><see cref="CacheItemMarks"/>.</summary>
    public byte Marks;

    /// <summary>The item's size class.</summary>
    public byte SizeClass;

    /// <summary>Hops that the request made beyond the server that sends this answer.</summary>
    public ushort Hops;

    /// <summary>The facts that it carries.</summary>
    public CacheItemFacts Facts
    {
        readonly get =>
            new(Length, SecondsLeft, IdleSeconds, (CacheItemMarks)Marks)
            {
                MemoryBytes = MemoryBytes,
                SizeClass = SizeClass,
            };
        set
        {
            (Length, SecondsLeft, IdleSeconds, Marks) = (
                value.Length,
                value.SecondsLeft,
                value.IdleSeconds,
                (byte)value.Marks
            );
            (MemoryBytes, SizeClass) = (value.MemoryBytes, value.SizeClass);
        }
    }
}
