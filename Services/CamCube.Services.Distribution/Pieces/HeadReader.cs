using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>Reads what stands before a piece, which may come in parts. Loop only.</summary>
internal sealed class HeadReader
{
    private readonly byte[] _bytes = new byte[PieceHead.Bytes];
    private int _count;

    /// <summary>Reads on. The same head again, until <see cref="Clear"/>.</summary>
    /// <returns>False: not all of it is here.</returns>
    public bool TryRead(PullInput<PieceRequest> pull, out PieceHead head)
    {
        while (_count < _bytes.Length && pull.Peek() is { IsEmpty: false } bytes)
        {
            int some = Math.Min(bytes.Length, _bytes.Length - _count);
            bytes[..some].CopyTo(_bytes.AsSpan(_count));
            _count += some;
            pull.Consume(some);
        }

        head = _count == _bytes.Length ? PieceHead.Read(_bytes) : default;
        return _count == _bytes.Length;
    }

    /// <summary>Bytes behind the head that are not needed.</summary>
    public int ToDrop { get; set; }

    /// <summary>Drops them. False: not all of them are here.</summary>
    public bool TryDrop(PullInput<PieceRequest> pull)
    {
        while (ToDrop > 0 && pull.Peek() is { IsEmpty: false } bytes)
        {
            int some = Math.Min(bytes.Length, ToDrop);
            ToDrop -= some;
            pull.Consume(some);
        }

        if (ToDrop > 0)
        {
            return false;
        }

        Clear();
        return true;
    }

    /// <summary>The next head is to come.</summary>
    public void Clear() => (_count, ToDrop) = (0, 0);
}
