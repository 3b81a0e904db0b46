using CamCube.Services.Collectives.Folding;
using CamCube.Services.Collectives.Wire;
using CamCube.Trees;

namespace CamCube.Services.Collectives.Groups;

/// <summary>What comes from all children of a member in one tree, together: none is ever taken further than another.
/// Loop only.</summary>
internal static class ChildEdges
{
    /// <summary>How many bytes all have here, up to a number. Who has ended before that has left the group.</summary>
    public static int Ready(ChildEdge[] children, int most, Group group)
    {
        foreach (ChildEdge child in children)
        {
            PullInput<EdgeRequest> input = child.Input!;
            if (input.Readable < most)
            {
                most = (int)input.Readable;
                if (input.IsWhole)
                {
                    group.Leave(child.Link.Rank);
                }
            }
        }

        return most;
    }

    /// <summary>Takes a head, or the rest of one, from all. Returns whose is another one; null: nobody's.</summary>
    public static ChildEdge? TakeHead(ChildEdge[] children, ReadOnlySpan<byte> own)
    {
        foreach (ChildEdge child in children)
        {
            if (!TryTakeHead(child.Input!, own))
            {
                return child;
            }
        }

        return null;
    }

    /// <summary>Takes a head, or the rest of one, that is here, from one. False: it is another one.</summary>
    public static bool TryTakeHead(PullInput<EdgeRequest> input, ReadOnlySpan<byte> own)
    {
        Span<byte> bytes = stackalloc byte[OperationHead.Bytes];
        Span<byte> theirs = bytes[..own.Length];
        input.Peek(0, theirs);
        if (!theirs.SequenceEqual(own))
        {
            return false;
        }

        input.Consume(own.Length);
        return true;
    }

    /// <summary>Adds up what all have, in their order, and takes it.</summary>
    /// <param name="children">All.</param>
    /// <param name="into">The member's own; then the sum.</param>
    /// <param name="kernel">How.</param>
    /// <param name="terms">Room, and mistakes.</param>
    public static void Fold(ChildEdge[] children, Span<byte> into, FoldKernel kernel, GroupTerms terms)
    {
        int first = terms.Makes(CollectivesMistake.FoldsAsItComes) ? Fullest(children) : 0;
        for (int i = 0; i < children.Length; i++)
        {
            PullInput<EdgeRequest> input = children[(first + i) % children.Length].Input!;
            ReadOnlySpan<byte> theirs = input.Peek();
            if (theirs.Length < into.Length)
            {
                input.Peek(0, terms.Scratch.AsSpan(0, into.Length));
                theirs = terms.Scratch;
            }

            kernel(into, theirs[..into.Length]);
            input.Consume(into.Length);
        }
    }

    /// <summary>Copies what all have, in their order, and takes it.</summary>
    /// <param name="children">All.</param>
    /// <param name="to">As many places.</param>
    /// <param name="count">Bytes of each.</param>
    public static void Take(ChildEdge[] children, byte[][] to, int count)
    {
        for (int i = 0; i < children.Length; i++)
        {
            children[i].Input!.Peek(0, to[i].AsSpan(0, count));
            children[i].Input!.Consume(count);
        }
    }

    private static int Fullest(ChildEdge[] children)
    {
        int best = 0;
        for (int i = 1; i < children.Length; i++)
        {
            best = children[i].Input!.Readable > children[best].Input!.Readable ? i : best;
        }

        return best;
    }
}
