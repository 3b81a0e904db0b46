using System.Numerics;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Coding;

/// <summary>
/// Makes pieces of a coded file that did not come of those that came: each is added to its group's sums when it is
/// here, and once there are as many as the file has trees the others are there, too, without a look at the disk. A
/// group of which an earlier run had pieces, or that there is no memory for, is left to the trees. Loop only.
/// </summary>
/// <param name="file">Whose pieces they are.</param>
/// <param name="most">Groups that may be open at a time: trees are so far from each other.</param>
/// <param name="take">Takes a piece that was made, of a tree and a number there. False: there is no room for it
/// now.</param>
internal sealed class GroupCoder(IPieceFile file, int most, GroupCoder.Taker take)
{
    private readonly OpenGroup[] _open = [.. Enumerable.Range(0, most).Select(static _ => new OpenGroup())];
    private readonly PieceBits _closed = new(file.Layout.Groups);
    private bool _isOver;

    /// <summary>Takes a piece that was made.</summary>
    public delegate bool Taker(int tree, int number, ReadOnlySpan<byte> bytes);

    /// <summary>A group is left to the trees.</summary>
    public void Close(int number) => _closed.Add(number);

    /// <summary>A piece came, whole and right.</summary>
    public void Add(int tree, int number, ReadOnlySpan<byte> bytes)
    {
        PieceLayout layout = file.Layout;
        if (_isOver || _closed[number] || Open(number) is not { Made: 0 } group || (group.Known >> tree & 1) != 0)
        {
            return;
        }

        group.Known |= 1u << tree;
        GroupCode.Add(tree, layout.DataTrees, bytes, group.P.AsSpan(0, layout.ParityLength(number)), QOf(group));
        if (BitOperations.PopCount(group.Known) >= layout.DataTrees)
        {
            Make(group);
        }
    }

    /// <summary>There may be room for what was made.</summary>
    public void Retry()
    {
        foreach (OpenGroup group in _open)
        {
            if (group.Made != 0)
            {
                Give(group);
            }
        }
    }

    /// <summary>Gives all memory back.</summary>
    public void Stop()
    {
        _isOver = true;
        foreach (OpenGroup group in _open)
        {
            Leave(group);
        }
    }

    private void Make(OpenGroup group)
    {
        PieceLayout layout = file.Layout;
        uint missing = ((1u << layout.Trees) - 1) & ~group.Known;
        if (BitOperations.PopCount(missing) == layout.Code)
        {
            (group.OfP, _) = GroupCode.Solve(
                missing,
                layout.DataTrees,
                group.P.AsSpan(0, layout.ParityLength(group.Number)),
                QOf(group)
            );
            group.P[0] ^= (byte)(file.Miscodes ? 1 : 0);
            group.Made = missing;
            Give(group);
        }
        else
        {
            // There is nothing but zeros in it.
            Leave(group);
        }
    }

    private void Give(OpenGroup group)
    {
        for (uint trees = group.Made; trees != 0 && !_isOver; trees &= trees - 1)
        {
            int tree = BitOperations.TrailingZeroCount(trees),
                piece = file.Layout.PieceOf(tree, group.Number);
            ReadOnlySpan<byte> made = tree == group.OfP ? group.P : group.Q;
            made = made[..file.Layout.LengthOf(piece)];
            if (!file.Miscodes && !file.IsRight(piece, 0, made))
            {
                file.Counters.Wrong.Add();
                group.Made = 0;
            }
            else if (take(tree, group.Number, made))
            {
                // It may have led to the end of all.
                group.Made &= ~(1u << tree);
            }
        }

        if (group.Made == 0)
        {
            Leave(group);
        }
    }

    private void Leave(OpenGroup group)
    {
        if (group.Number < 0)
        {
            return;
        }

        _closed.Add(group.Number);
        (group.Number, group.Made) = (-1, 0);
        Return(group.P);
        Return(group.Q);
        (group.P, group.Q) = ([], []);
    }

    private void Return(byte[] buffer)
    {
        if (buffer.Length > 0)
        {
            file.Windows.Return(buffer);
        }
    }

    private Span<byte> QOf(OpenGroup group) =>
        group.Q.Length == 0 ? default : group.Q.AsSpan(0, file.Layout.ParityLength(group.Number));

    // Null: there is no memory for it.
    private OpenGroup? Open(int number)
    {
        OpenGroup? free = null;
        foreach (OpenGroup group in _open)
        {
            if (group.Number == number)
            {
                return group;
            }

            free = group.Number < 0 ? group : free;
        }

        PieceLayout layout = file.Layout;
        byte[]? p = free is null ? null : file.Windows.TryRent(layout.PieceBytes),
            q = p is null || layout.Code < 2 ? [] : file.Windows.TryRent(layout.PieceBytes);
        if (free is null || p is null || q is null)
        {
            Return(p ?? []);
            _closed.Add(number);
            return null;
        }

        p.AsSpan().Clear();
        q.AsSpan().Clear();
        (free.Number, free.P, free.Q, free.Known, free.Made) = (number, p, q, 0, 0);
        for (int tree = 0; tree < layout.Trees; tree++)
        {
            bool isZero = number >= layout.CountOf(tree) || file.IsZero(layout.PieceOf(tree, number));
            free.Known |= isZero ? 1u << tree : 0;
        }

        return free;
    }
}
