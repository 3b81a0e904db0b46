using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using CamCube.Messaging;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Trees.Tests;

/// <summary>The header of a service that does nothing but pull.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct Leaf : IMessageHeader<Leaf>
{
    private MessageHeader _message;

    public static ref MessageHeader MessageOf(ref Leaf header) => ref header._message;
}

/// <summary>What it says in a pull: from where on.</summary>
public readonly record struct TallyRequest(MergePosition Position) : IPullRequest<TallyRequest>
{
    public static int MostBytes => 1_024;

    public int Write(Span<byte> to)
    {
        WriteInt64LittleEndian(to, Position.Taken);
        Position.Key.Span.CopyTo(to[8..]);
        return 8 + Position.Key.Length;
    }

    public static bool TryRead(ReadOnlySpan<byte> from, [MaybeNullWhen(false)] out TallyRequest request)
    {
        request = from.Length < 8 ? default : new(new(from[8..].ToArray(), ReadInt64LittleEndian(from)));
        return from.Length >= 8;
    }
}
