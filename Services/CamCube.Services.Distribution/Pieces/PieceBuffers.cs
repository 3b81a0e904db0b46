namespace CamCube.Services.Distribution.Pieces;

/// <summary>
/// Buffers of pieces, within a bound and a claim on the server's memory. Who has one gives it back, unless the disk may
/// still use it. Loop only.
/// </summary>
/// <param name="server">The server.</param>
/// <param name="name">What they are for, as the status shows it.</param>
/// <param name="limit">Bytes of all of them.</param>
internal sealed class PieceBuffers(IServer server, string name, long limit)
{
    private readonly Dictionary<int, Stack<byte[]>> _free = [];
    private IMemoryClaim? _claim;

    /// <summary>Bytes of those that are in use or kept.</summary>
    public long Bytes => _claim?.Bytes ?? 0;

    /// <summary>Bytes of those that are in use.</summary>
    public long InUse { get; private set; }

    /// <summary>A buffer, with anything in it. Null: there is no memory for one now.</summary>
    public byte[]? TryRent(int length)
    {
        if (_free.TryGetValue(length, out Stack<byte[]>? free) && free.TryPop(out byte[]? kept))
        {
            InUse += length;
            return kept;
        }

        if (InUse + length > limit)
        {
            return null;
        }

        if (Bytes + length > limit)
        {
            // Kept ones of other lengths stand in its way.
            _free.Clear();
            _claim!.Shrink(Bytes - InUse);
        }

        bool hasRoom = _claim is { } claim ? claim.TryGrow(length) : server.Memory.TryClaim(name, length, out _claim);
        InUse += hasRoom ? length : 0;
        return hasRoom ? GC.AllocateUninitializedArray<byte>(length) : null;
    }

    /// <summary>Gives one back.</summary>
    public void Return(byte[] buffer)
    {
        if (!_free.TryGetValue(buffer.Length, out Stack<byte[]>? free))
        {
            _free.Add(buffer.Length, free = new Stack<byte[]>());
        }

        free.Push(buffer);
        InUse -= buffer.Length;
    }

    /// <summary>One does not come back: the disk may use it for good.</summary>
    public void Lose(byte[] buffer)
    {
        InUse -= buffer.Length;
        _claim?.Shrink(Math.Min(Bytes, buffer.Length));
    }
}
