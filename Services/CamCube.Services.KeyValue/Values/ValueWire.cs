using System.Runtime.CompilerServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Log;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Values;

/// <summary>
/// What goes over the streams between two stores; numbers are little-endian.
/// <para>A writer's: group 4, id 16, number of the first piece 4, then of each piece its length 4 and its bytes. Back
/// comes a byte for each piece that is on the disk.</para>
/// <para>A reader's: id 16, then the number of each piece that is wanted, 4. Back comes of each its length 4 and its
/// bytes.</para>
/// </summary>
internal static class ValueWire
{
    /// <summary>Label of a stream on which pieces come.</summary>
    public const ulong Writing = 1;

    /// <summary>Label of a stream on which pieces are asked for.</summary>
    public const ulong Reading = 2;

    /// <summary>The same, for recovery.</summary>
    public const ulong Fetching = 3;

    /// <summary>Nobody will name what was sent.</summary>
    public const uint Void = 1;

    /// <summary>The disk has no room.</summary>
    public const uint Full = 2;

    /// <summary>It is not here, or cannot be read or written.</summary>
    public const uint Away = 3;

    /// <summary>What is said is none of this.</summary>
    public const uint Wrong = 4;

    /// <summary>Bytes of a piece's length, or number.</summary>
    public const int NumberBytes = 4;

    /// <summary>Bytes of an id.</summary>
    public const int IdBytes = 16;

    /// <summary>Bytes of what a writer says first.</summary>
    public const int HeadBytes = sizeof(uint) + IdBytes + NumberBytes;

    public static void WriteId(Span<byte> into, PieceId id)
    {
        WriteUInt64LittleEndian(into, id.High);
        WriteUInt64LittleEndian(into[8..], id.Low);
    }

    public static PieceId ReadId(ReadOnlySpan<byte> from) =>
        new(ReadUInt64LittleEndian(from), ReadUInt64LittleEndian(from[8..]));

    /// <summary>Reads so many bytes. False: they do not come.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> ReadAsync(ReliableStream stream, Memory<byte> into)
    {
        int done = 0;
        while (done < into.Length)
        {
            if (!await stream.ReadableAsync())
            {
                return false;
            }

            int count = Take(stream, into.Span[done..]);
            done += count;
        }

        return true;
    }

    /// <summary>Writes all bytes. False: they are not wanted.</summary>
    /// <param name="watched">The stream, and since when nothing moves.</param>
    /// <param name="bytes">The bytes.</param>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<bool> WriteAsync(WatchedStream watched, ReadOnlyMemory<byte> bytes)
    {
        ReliableStream stream = watched.Stream;
        for (int done = 0; done < bytes.Length; )
        {
            watched.Wait();
            bool isOpen = await stream.WritableAsync();
            watched.Go();
            if (!isOpen)
            {
                return false;
            }

            done += stream.Write(bytes.Span[done..]);
        }

        return true;
    }

    private static int Take(ReliableStream stream, Span<byte> into)
    {
        ReadOnlySpan<byte> here = stream.Peek();
        int count = Math.Min(here.Length, into.Length);
        here[..count].CopyTo(into);
        stream.Consume(count);
        return count;
    }
}
