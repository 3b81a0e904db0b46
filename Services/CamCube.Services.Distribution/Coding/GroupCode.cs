using System.Numerics;

namespace CamCube.Services.Distribution.Coding;

/// <summary>
/// Parity of a group of pieces, one of each tree: P is the sum of the file's pieces, Q that of each times 2 to the
/// power of its tree (Anvin, The mathematics of RAID-6). Sums are gathered piece by piece, in any order; those of all
/// that came, with parity, are then what lacks, or lead to it. A shorter piece ends with zeros.
/// </summary>
internal static class GroupCode
{
    /// <summary>Adds a piece to the sums of its group.</summary>
    /// <param name="tree">Its tree.</param>
    /// <param name="dataTrees">Trees that carry the file; P is in the next one, Q behind it.</param>
    /// <param name="piece">The piece.</param>
    /// <param name="p">The sum P, as long as the longest piece.</param>
    /// <param name="q">The sum Q; empty: the code has none.</param>
    public static void Add(int tree, int dataTrees, ReadOnlySpan<byte> piece, Span<byte> p, Span<byte> q)
    {
        if (tree <= dataTrees)
        {
            ByteField.Add(piece, p);
        }

        if (tree != dataTrees && !q.IsEmpty)
        {
            ByteField.AddProduct(tree < dataTrees ? ByteField.Power(tree) : (byte)1, piece, q);
        }
    }

    /// <summary>Makes the pieces that lack of the sums of all others: as many as there are sums.</summary>
    /// <param name="missing">The trees of these pieces, a bit each.</param>
    /// <param name="dataTrees">Trees that carry the file.</param>
    /// <param name="p">The sum P; then the piece of one of the trees.</param>
    /// <param name="q">The sum Q; then that of the other; empty: there is none.</param>
    /// <returns>Whose piece is in P's place, and whose in Q's.</returns>
    public static (int OfP, int OfQ) Solve(uint missing, int dataTrees, Span<byte> p, Span<byte> q)
    {
        int first = BitOperations.TrailingZeroCount(missing);
        if (q.IsEmpty)
        {
            return (first, -1);
        }

        int second = BitOperations.TrailingZeroCount(missing & (missing - 1)),
            ofQ = dataTrees + 1;
        if (first == dataTrees)
        {
            return (first, second);
        }

        byte power = ByteField.Power(first);
        if (second == ofQ)
        {
            ByteField.AddProduct(power, p, q);
            return (first, second);
        }

        if (second == dataTrees)
        {
            ByteField.Multiply(ByteField.Inverse(power), q);
        }
        else
        {
            byte other = ByteField.Power(second);
            ByteField.AddProduct(other, p, q);
            ByteField.Multiply(ByteField.Inverse((byte)(power ^ other)), q);
        }

        ByteField.Add(q, p);
        return (second, first);
    }
}
