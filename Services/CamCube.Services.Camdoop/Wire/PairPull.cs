using System.Diagnostics.CodeAnalysis;
using CamCube.Trees;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Camdoop.Wire;

/// <summary>What a pull of pairs says beside the vertex: of which map task, or of none but the vertex itself, and from
/// where on. 12 bytes, and the key.</summary>
/// <param name="Task">The map task whose pairs are wanted; <see cref="OfVertex"/>: those of the vertex.</param>
/// <param name="Position">From where on.</param>
internal sealed record PairPull(int Task, MergePosition Position) : IPullRequest<PairPull>
{
    /// <summary>Of no map task: what the vertex gives.</summary>
    public const int OfVertex = -1;

    private const int AtTaken = sizeof(int);
    private const int AtKey = AtTaken + sizeof(long);

    /// <inheritdoc/>
    public static int MostBytes => AtKey + MergeRequest.MostKey;

    /// <inheritdoc/>
    public int Write(Span<byte> to)
    {
        WriteInt32LittleEndian(to, Task);
        WriteInt64LittleEndian(to[AtTaken..], Position.Taken);
        Position.Key.Span.CopyTo(to[AtKey..]);
        return AtKey + Position.Key.Length;
    }

    /// <inheritdoc/>
    public static bool TryRead(ReadOnlySpan<byte> from, [MaybeNullWhen(false)] out PairPull request)
    {
        request = null;
        if (from.Length < AtKey || ReadInt32LittleEndian(from) < OfVertex || ReadInt64LittleEndian(from[AtTaken..]) < 0)
        {
            return false;
        }

        var position = new MergePosition(from[AtKey..].ToArray(), ReadInt64LittleEndian(from[AtTaken..]));
        request = new PairPull(ReadInt32LittleEndian(from), position);
        return true;
    }
}
