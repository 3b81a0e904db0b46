using System.Numerics;
using System.Runtime.InteropServices;
using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>Commands on single bits; the first bit is the highest of the first byte.</summary>
internal static class BitCommands
{
    public static void Get(DataCall call)
    {
        if (!TryOffset(call, out long offset))
        {
            return;
        }

        ReadOnlySpan<byte> value = call.KeyAt(1).Value;
        call.Reply.Integer(offset >> 3 < value.Length ? BitOf(value, offset) : 0);
    }

    public static void Set(DataCall call)
    {
        if (!TryOffset(call, out long offset))
        {
            return;
        }

        if (!DataCall.TryRead(call[3], out long bit) || bit is not (0 or 1))
        {
            call.Reply.Error(Errors.NoBit);
            return;
        }

        KeyEntry key = call.KeyAt(1);
        int at = (int)(offset >> 3);
        Span<byte> value = key.Edit((int)Math.Max(key.Length, at + 1L));
        call.Reply.Integer(BitOf(value, offset));
        int mask = 0x80 >> (int)(offset & 7);
        value[at] = (byte)(bit == 1 ? value[at] | mask : value[at] & ~mask);
    }

    public static void Count(DataCall call)
    {
        bool isBits = call.Count == 5 && call.Is(4, "bit"u8);
        if (call.Count is 3 or > 5 || (call.Count == 5 && !isBits && !call.Is(4, "byte"u8)))
        {
            call.Reply.Error(Errors.Syntax);
            return;
        }

        ReadOnlySpan<byte> value = call.KeyAt(1).Value;
        call.Reply.Work += value.Length;
        if (call.Count == 2)
        {
            call.Reply.Integer(CountOf(value));
            return;
        }

        if (!call.TryInteger(2, out long first) || !call.TryInteger(3, out long last))
        {
            return;
        }

        Int128 length = (Int128)value.Length * (isBits ? 8 : 1);
        long from = (long)Int128.Max(0, first < 0 ? first + length : first);
        long to = (long)Int128.Min(length - 1, last < 0 ? last + length : last);
        bool isNone = (first < 0 && last < 0 && first > last) || from > to;
        call.Reply.Integer(
            isNone ? 0
            : isBits ? CountBits(value, from, to)
            : CountOf(value[(int)from..((int)to + 1)])
        );
    }

    private static long CountBits(ReadOnlySpan<byte> value, long from, long to)
    {
        ReadOnlySpan<byte> bytes = value[(int)(from >> 3)..((int)(to >> 3) + 1)];
        int before = bytes[0] & ~(0xFF >> (int)(from & 7));
        int behind = bytes[^1] & (0x7F >> (int)(to & 7));
        return CountOf(bytes) - byte.PopCount((byte)before) - byte.PopCount((byte)behind);
    }

    private static long CountOf(ReadOnlySpan<byte> bytes)
    {
        long count = 0;
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (ulong word in words)
        {
            count += BitOperations.PopCount(word);
        }

        foreach (byte rest in bytes[(words.Length * sizeof(ulong))..])
        {
            count += byte.PopCount(rest);
        }

        return count;
    }

    private static int BitOf(ReadOnlySpan<byte> value, long offset) =>
        (value[(int)(offset >> 3)] >> (7 - (int)(offset & 7))) & 1;

    private static bool TryOffset(DataCall call, out long offset)
    {
        if (DataCall.TryRead(call[2], out offset) && offset >= 0 && offset >> 3 < call.MaxValueLength)
        {
            return true;
        }

        call.Reply.Error(Errors.BitOffset);
        return false;
    }
}
