namespace CamCube.Messaging.Streams.Flow;

/// <summary>Memory of one direction of an endpoint: a claim on the server's memory with a limit of its own. What is
/// reserved may be used in chunks, or promised to a peer. Loop only.</summary>
/// <param name="server">Whose memory.</param>
/// <param name="name">What for.</param>
/// <param name="limit">Bytes.</param>
internal sealed class StreamMemory(IServer server, string name, long limit)
{
    // Parts that are kept for the next stream; more are left to the collector.
    private const int MostParts = 1_024;
    private readonly Stack<SendParts> _sendParts = new();
    private readonly Stack<ReceiveParts> _receiveParts = new();
    private IMemoryClaim? _claim;

    /// <summary>Bytes set apart now.</summary>
    public long Reserved => _claim?.Bytes ?? 0;

    /// <summary>Bytes that may be reserved at most.</summary>
    public long Limit => limit;

    /// <summary>Bytes that were given to streams which never said that they need more.</summary>
    public long Gifts { get; set; }

    /// <summary>Whether so many bytes more could be reserved, as far as this claim's own limit goes.</summary>
    public bool HasRoom(long bytes) => Reserved + bytes <= limit;

    /// <summary>Sets bytes apart. False: there is not so much, here or on the server.</summary>
    public bool TryReserve(long bytes)
    {
        if (_claim is null && !server.Memory.TryClaim(name, 0, out _claim))
        {
            return false;
        }

        return _claim.Bytes + bytes <= limit && _claim.TryGrow(bytes);
    }

    /// <summary>Gives reserved bytes back.</summary>
    public void Unreserve(long bytes) => _claim?.Shrink(bytes);

    /// <summary>A chunk out of what is reserved.</summary>
    public bool TryRent(out Chunk chunk)
    {
        chunk = default;
        return _claim is not null && _claim.TryRentChunk(out chunk);
    }

    public void Return(Chunk chunk) => _claim!.Return(chunk);

    /// <summary>What a stream needs to send.</summary>
    public SendParts RentSendParts() => _sendParts.TryPop(out SendParts? parts) ? parts : new SendParts(this);

    /// <summary>What a stream needs to receive.</summary>
    public ReceiveParts RentReceiveParts() =>
        _receiveParts.TryPop(out ReceiveParts? parts) ? parts : new ReceiveParts(this);

    /// <summary>They are empty again.</summary>
    public void Return(SendParts parts)
    {
        if (_sendParts.Count < MostParts)
        {
            _sendParts.Push(parts);
        }
    }

    /// <inheritdoc cref="Return(SendParts)"/>
    public void Return(ReceiveParts parts)
    {
        if (_receiveParts.Count < MostParts)
        {
            _receiveParts.Push(parts);
        }
    }
}
